import { hash } from 'node:crypto';

/** Prefix of every hook token. Secret scanners recognize leaked tokens by their prefix. */
export const TOKEN_PREFIX = 'whk_';
const RANDOM_BYTES = 24;
/** Number of leading characters of a hook token that the API and the dashboard show. */
const SHOWN_LENGTH = TOKEN_PREFIX.length + 4;
const SHAPE = /^whk_[\w-]{32}$/;

/** A function that returns random bytes, such as `crypto.randomBytes`. */
export type RandomBytes = (size: number) => Buffer;

export function newHookToken(randomBytes: RandomBytes): string {
  return `${TOKEN_PREFIX}${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/** Whether a string has the format of a hook token. Strings in another format are refused without a database query. */
export function looksLikeHookToken(text: string): boolean {
  return SHAPE.test(text);
}

/** SHA-256 hash of a hook token, in hexadecimal. Tokens are random, so they need no slow password hash. */
export function hashOfHookToken(token: string): string {
  return hash('sha256', token, 'hex');
}

export function shownPrefixOf(token: string): string {
  return token.slice(0, SHOWN_LENGTH);
}
