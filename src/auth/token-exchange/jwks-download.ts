import type { JSONWebKeySet } from 'jose';

/** For connecting, the answer and its body. */
const TIMEOUT_MS = 5_000;
/** Real key sets have a few kilobytes. */
const MAX_BYTES = 262_144;
const MAX_KEYS = 100;

/** Thrown when no key set could be read. */
export class JwksDownloadError extends Error {
  override readonly name = 'JwksDownloadError';
}

/**
 * Reads a key set.
 * @param url configured by the operator, never taken from a token
 * @throws JwksDownloadError when nothing answers in time, or not with a key set of a sensible size; redirects
 * are not followed: the keys would be those of another host than the one that was configured.
 */
export async function downloadJwks(url: string): Promise<JSONWebKeySet> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/jwk-set+json, application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new JwksDownloadError(`It answered ${response.status}.`);
    }
    return keySetOf(await limitedText(response));
  } catch (error) {
    if (error instanceof JwksDownloadError) throw error;
    throw new JwksDownloadError('The key set could not be read.', { cause: error });
  }
}

async function limitedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    // Leaving the loop ends the connection.
    if (length > MAX_BYTES) throw new JwksDownloadError(`It has more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function keySetOf(text: string): JSONWebKeySet {
  const value: unknown = JSON.parse(text);
  if (!isKeySet(value)) throw new JwksDownloadError('It is no key set.');
  if (value.keys.length > MAX_KEYS) throw new JwksDownloadError(`It has more than ${MAX_KEYS} keys.`);
  return value;
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  if (typeof value !== 'object' || value === null || !('keys' in value)) return false;
  const { keys } = value;
  return Array.isArray(keys) && keys.every((key: unknown) => typeof key === 'object' && key !== null);
}
