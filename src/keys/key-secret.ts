import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Prefix of every key. Secret scanners recognize leaked keys by this prefix. */
const PREFIX = 'wfk_';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * Number of byte values that are used. Larger byte values are discarded, because the modulo operation would otherwise
 * favor the first characters of the alphabet.
 */
const UNBIASED_BYTES = 256 - (256 % ALPHABET.length);
/** Number of leading characters of a secret that are stored as plain text, so that lists can show them. */
const SHOWN_PREFIX_LENGTH = PREFIX.length + 4;

/** A source of random bytes, such as `crypto.randomBytes`. */
export type RandomBytes = (size: number) => Uint8Array;

/** Returns the secret of a new API key: `wfk_`, 30 random base62 characters (178 bits), and 6 checksum characters. */
export function newKeySecret(randomBytes: RandomBytes): string {
  let random = '';
  while (random.length < RANDOM_LENGTH)
    for (const byte of randomBytes(RANDOM_LENGTH - random.length))
      if (byte < UNBIASED_BYTES) random += ALPHABET[byte % ALPHABET.length];
  return `${PREFIX}${random}${checksum(random)}`;
}

/**
 * Whether a string has the format and the checksum of an API key. Other strings are rejected without a database query.
 */
export function looksLikeKey(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const random = text.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH);
  return text.endsWith(checksum(random));
}

/**
 * Returns the SHA-256 hash of an API key in hex. A slow password hash is unnecessary, because keys have 178 random
 * bits.
 */
export function hashOfKey(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Returns the first 8 and the last 4 characters of an API key, by which users recognize the key in lists. */
export function shownPartsOf(secret: string): { readonly prefix: string; readonly lastFour: string } {
  return { prefix: secret.slice(0, SHOWN_PREFIX_LENGTH), lastFour: secret.slice(-4) };
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    text = `${ALPHABET[rest % ALPHABET.length] ?? ''}${text}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
