import type { JSONWebKeySet } from 'jose';

/** Maximum size of a downloaded JSON Web Key Set, in bytes. Real key sets have a few kilobytes. */
const MAX_BYTES = 262_144;
const MAX_KEYS = 100;

export class JwksDownloadError extends Error {
  override readonly name = 'JwksDownloadError';
}

/**
 * Downloads a JSON Web Key Set for the library jose, with limits on the response.
 *
 * @throws JwksDownloadError if the response has more than 256 KiB or 100 keys
 */
export async function fetchKeySet(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const text = await limitedText(response);
  if (response.status === 200 && keyCountOf(text) > MAX_KEYS)
    throw new JwksDownloadError(`The key set (JWKS) of the token issuer has more than ${MAX_KEYS} keys.`);
  return new Response(text, { status: response.status });
}

async function limitedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    // An error that is thrown inside `for await` ends the iteration, and thereby closes the connection.
    if (length > MAX_BYTES)
      throw new JwksDownloadError(`The key set (JWKS) of the token issuer has more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/**
 * Returns the number of keys in a JSON Web Key Set; 0 if the text is not a key set. The library jose refuses
 * such a text later.
 */
function keyCountOf(text: string): number {
  const { keys } = (JSON.parse(text) ?? {}) as Partial<JSONWebKeySet>;
  return Array.isArray(keys) ? keys.length : 0;
}
