import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { isId } from '../platform/index.js';

/** Identifies an approval: the attempt of a node that waits for a decision. */
export interface Decidable {
  readonly executionId: string;
  /** Key of the node in the state of the execution, such as `ask`, or `each[3].ask` inside a loop. */
  readonly nodeId: string;
  readonly attempt: number;
}

export interface Decision extends Decidable {
  readonly approved: boolean;
}

/** Maximum length of a token, in characters. Longer tokens are refused. */
const MAX_LENGTH = 512;

/**
 * Derives the key that signs approval links. HKDF ensures that no other feature uses the same key.
 * @param secret the secret that all processes share
 */
export function linkKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'workflow-service approval links', 32));
}

/** Returns a token with a decision and its signature, for use in the path of a URL. */
export function encodeToken(key: Buffer, decision: Decision): string {
  const { executionId, nodeId, attempt, approved } = decision;
  const text = Buffer.from(JSON.stringify([executionId, nodeId, attempt, approved])).toString('base64url');
  return `${text}.${signature(key, text).toString('base64url')}`;
}

/** Returns the decision that a token contains; null if the token is malformed or was not signed with this key. */
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
