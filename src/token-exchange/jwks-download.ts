import type { JSONWebKeySet } from 'jose';

/** Maximum bytes of a key set. Real key sets have a few kilobytes. */
const MAX_BYTES = 262_144;
const MAX_KEYS = 100;

export class JwksDownloadError extends Error {
  override readonly name = 'JwksDownloadError';
}

/**
 * The `fetch` of jose's remote key set, with limits on the response.
 *
 * @throws JwksDownloadError when the response has more than 256 KiB or 100 keys
 */
export async function fetchKeySet(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const text = await limitedText(response);
  if (response.status === 200 && keyCountOf(text) > MAX_KEYS)
    throw new JwksDownloadError(`It has more than ${MAX_KEYS} keys.`);
  return new Response(text, { status: response.status });
}

async function limitedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    // An error inside the loop closes the connection.
    if (length > MAX_BYTES) throw new JwksDownloadError(`It has more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Number of keys in a key set. 0 for another response, which jose refuses. */
function keyCountOf(text: string): number {
  const { keys } = (JSON.parse(text) ?? {}) as Partial<JSONWebKeySet>;
  return Array.isArray(keys) ? keys.length : 0;
}
