import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { isId } from '../platform/index.js';

/** The wait that a link decides. */
export interface Decidable {
  readonly executionId: string;
  /** Key of the node's state: `ask`, or `each[3].ask` inside a loop. */
  readonly nodeId: string;
  readonly attempt: number;
}

/** The decision that a link carries. */
export interface Decision extends Decidable {
  readonly approved: boolean;
}

/** Maximum length of a token in characters. */
const MAX_LENGTH = 512;

/** @param secret the shared secret; the signing key is derived from it, so that no other feature uses the same key */
export function linkKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'workflow-service approval links', 32));
}

/** The signed decision in a form that fits into a path. */
export function encodeToken(key: Buffer, decision: Decision): string {
  const { executionId, nodeId, attempt, approved } = decision;
  const text = Buffer.from(JSON.stringify([executionId, nodeId, attempt, approved])).toString('base64url');
  return `${text}.${signature(key, text).toString('base64url')}`;
}

/** The decision of a token; null if this key did not sign it. */
export function decodeToken(key: Buffer, token: string): Decision | null {
  const [text, signed, ...more] = token.length > MAX_LENGTH ? [] : token.split('.');
  if (text === undefined || signed === undefined || more.length > 0) return null;
  const given = Buffer.from(signed, 'base64url');
  const right = signature(key, text);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  const [executionId, nodeId, attempt, approved] = JSON.parse(
    Buffer.from(text, 'base64url').toString(),
  ) as readonly [string, string, number, boolean];
  return isId(executionId) ? { executionId, nodeId, attempt, approved } : null;
}

function signature(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
