import { hash } from 'node:crypto';

/** Prefix of every token. Secret scanners recognize leaked tokens by this prefix. */
export const TOKEN_PREFIX = 'whk_';
const RANDOM_BYTES = 24;
/** Number of characters of a token that later responses show. */
const SHOWN_LENGTH = TOKEN_PREFIX.length + 4;
const SHAPE = /^whk_[\w-]{32}$/;

/** A source of random bytes: `crypto.randomBytes`. */
export type RandomBytes = (size: number) => Buffer;

export function newHookToken(randomBytes: RandomBytes): string {
  return `${TOKEN_PREFIX}${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/** Whether a string has the form of a token. Other strings need no database query. */
export function looksLikeHookToken(text: string): boolean {
  return SHAPE.test(text);
}

/** SHA-256 of a token. Random tokens need no slow hash. */
export function hashOfHookToken(token: string): string {
  return hash('sha256', token, 'hex');
}

export function shownPrefixOf(token: string): string {
  return token.slice(0, SHOWN_LENGTH);
}
