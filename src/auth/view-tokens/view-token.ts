import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { View } from '../../access/index.js';
import { isId } from '../../platform/index.js';

/**
 * Creator of a view token: an API key or a signed-in user. The token is valid only while its creator may read events.
 */
export type ViewTokenMaker =
  | { readonly kind: 'key'; readonly keyId: string }
  | { readonly kind: 'user'; readonly userId: string; readonly teamId: string };

/** Content of a view token. Everyone can read the content. The signature proves that this service wrote it. */
export interface ViewTokenClaims {
  readonly view: View;
  readonly maker: ViewTokenMaker;
}

/** Prefix of view tokens. Scanners of logs and repositories recognize leaked tokens by this prefix. */
const PREFIX = 'wfv_';
/** Maximum length of a view token, in characters. Longer strings are refused without parsing. */
const MAX_LENGTH = 512;

/** Derives the key that signs view tokens from the secret that all processes on one database share. */
export function viewTokenKey(sharedSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(sharedSecret), '', 'workflow-service view tokens', 32));
}

/** Whether a text starts like a view token. The token may still be invalid. */
export function looksLikeViewToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Encodes a view token: `wfv_`, the claims as base64url, a dot, and an HMAC-SHA256 of everything before the dot. */
export function encodeViewToken(key: Buffer, { view, maker }: ViewTokenClaims): string {
  const claims = [
    view.kind,
    view.id,
    view.expiresAt,
    ...(maker.kind === 'key' ? ['key', maker.keyId] : ['user', maker.userId, maker.teamId]),
  ];
  const signed = `${PREFIX}${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${signed}.${signatureOf(key, signed).toString('base64url')}`;
}

/** Returns the claims of a view token, even if they have expired; null if the token was not signed with this key. */
export function decodeViewToken(key: Buffer, token: string): ViewTokenClaims | null {
  const [signed, signature, ...more] = token.length > MAX_LENGTH ? [] : token.split('.');
  if (signed === undefined || signature === undefined || more.length > 0 || !looksLikeViewToken(signed))
    return null;
  const given = Buffer.from(signature, 'base64url');
  const expected = signatureOf(key, signed);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const text = Buffer.from(signed.slice(PREFIX.length), 'base64url').toString();
  const [kind, id, expiresAt, makerKind, makerId, teamId] = JSON.parse(text) as SignedClaims;
  if (!isId(id)) return null;
  const view = { kind, id, expiresAt };
  if (makerKind === 'key') return { view, maker: { kind: 'key', keyId: makerId } };
  return { view, maker: { kind: 'user', userId: makerId, teamId } };
}

/**
 * The signed claims of a view token, in the order in which the token contains them. Claims are parsed only after the
 * signature was verified.
 */
type SignedClaims = readonly [
  kind: View['kind'],
  id: string,
  expiresAt: number,
  makerKind: ViewTokenMaker['kind'],
  makerId: string,
  teamId: string,
];

function signatureOf(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
