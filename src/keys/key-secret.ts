import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Prefix of every key. Scanners of repositories recognize leaked keys by it. */
const PREFIX = 'wfk_';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * Random bytes from this value on are discarded. Otherwise the first characters of the alphabet would be more likely.
 */
const UNBIASED_BYTES = 256 - (256 % ALPHABET.length);
/** Number of leading characters of a key that lists show. */
const SHOWN_PREFIX_LENGTH = PREFIX.length + 4;

/** A source of random bytes: `crypto.randomBytes`. */
export type RandomBytes = (size: number) => Uint8Array;

/** A new key in plain text: `wfk_`, 30 random base62 characters (178 bits) and 6 characters of checksum. */
export function newKeySecret(randomBytes: RandomBytes): string {
  let random = '';
  while (random.length < RANDOM_LENGTH)
    for (const byte of randomBytes(RANDOM_LENGTH - random.length))
      if (byte < UNBIASED_BYTES) random += ALPHABET[byte % ALPHABET.length];
  return `${PREFIX}${random}${checksum(random)}`;
}

/** Whether a string has the format and checksum of a key. Other strings need no database lookup. */
export function looksLikeKey(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const random = text.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH);
  return text.endsWith(checksum(random));
}

/** The stored form of a key: its SHA-256 in hex. Keys are random, so no slow hash is needed. */
export function hashOfKey(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** The first and last characters of a key. Lists show them so that the owner recognizes the key. */
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
