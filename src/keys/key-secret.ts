import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Prefix of every key. Secret scanners recognize leaked keys by this prefix. */
const PREFIX = 'wfk_';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** Larger random bytes are discarded, because they would favor the first letters of the alphabet. */
const UNBIASED_BYTES = 256 - (256 % ALPHABET.length);
/** Number of leading characters of a key that lists show. */
const SHOWN_PREFIX_LENGTH = PREFIX.length + 4;

/** A source of random bytes, such as `crypto.randomBytes`. */
export type RandomBytes = (size: number) => Uint8Array;

/** A new key: `wfk_`, 30 random base62 characters (178 bits) and 6 characters of checksum. */
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

/** SHA-256 of a key in hex. Random keys need no slow hash. */
export function hashOfKey(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** The first and last characters of a key, by which its owner recognizes the key. */
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
