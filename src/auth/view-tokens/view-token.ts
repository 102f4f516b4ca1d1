import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { View } from '../../access/index.js';
import { isId } from '../../platform/index.js';

/** The maker of a view token. The token is valid as long as its maker may read events. */
export type ViewTokenMaker =
  | { readonly kind: 'key'; readonly keyId: string }
  /** A person signed in to the dashboard. */
  | { readonly kind: 'user'; readonly userId: string; readonly teamId: string };

/** The claims of a view token. None is secret; the signature makes it valid. */
export interface ViewTokenClaims {
  readonly view: View;
  readonly maker: ViewTokenMaker;
}

/** Prefix of every view token, so that scanners of logs and repositories find one. */
const PREFIX = 'wfv_';
/** Longest token that is parsed, in characters. */
const MAX_LENGTH = 512;

/** The signing key, derived from the secret that all processes on one database share. */
export function viewTokenKey(sharedSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(sharedSecret), '', 'workflow-service view tokens', 32));
}

/** Whether a credential looks like a view token; it may be invalid. */
export function looksLikeViewToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** `wfv_`, the claims as base64url, a dot, and an HMAC-SHA256 over everything before the dot. */
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

/** The claims of a token, expired or not; null if this key did not sign it. */
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

/** What `encodeViewToken` writes; parsed only after the signature was verified. */
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
