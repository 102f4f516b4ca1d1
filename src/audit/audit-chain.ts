import { hash } from 'node:crypto';
import type { AuditEntryEntity } from './audit-entry.entity.js';

/** Position and hashes of an audit entry in its team's hash chain. */
export interface AuditSeal {
  readonly teamId: string;
  readonly sequence: number;
  readonly entryId: string;
  readonly previousHash: string;
  readonly hash: string;
}

/** Sequence 0 means an empty chain. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

export const EMPTY_CHAIN: ChainHead = { sequence: 0, hash: '' };

/** SHA-256 in hex of an entry, its sequence and the previous entry's hash. */
export function hashOfEntry(entry: AuditEntryEntity, sequence: number, previousHash: string): string {
  return hash('sha256', JSON.stringify([previousHash, sequence, canonical(entry)]), 'hex');
}

export function sealed(entries: readonly AuditEntryEntity[], head: ChainHead): readonly AuditSeal[] {
  let { sequence, hash: previousHash } = head;
  return entries.map((entry) => {
    sequence += 1;
    const seal: AuditSeal = {
      teamId: entry.teamId,
      sequence,
      entryId: entry.id,
      previousHash,
      hash: hashOfEntry(entry, sequence, previousHash),
    };
    previousHash = seal.hash;
    return seal;
  });
}

/** Sorts object keys, because databases may return keys in another order than stored. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, inner]) => [key, canonical(inner)] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1));
}
