import { hash } from 'node:crypto';
import type { AuditEntryEntity } from './audit-entry.entity.js';

/** Seal of an audit entry: its position and its hash in the hash chain of the team. */
export interface AuditSeal {
  readonly teamId: string;
  readonly sequence: number;
  readonly entryId: string;
  readonly previousHash: string;
  readonly hash: string;
}

/** End of a team's hash chain. Sequence 0 means that the chain is empty. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

export const EMPTY_CHAIN: ChainHead = { sequence: 0, hash: '' };

/** Returns the SHA-256 hash of an audit entry, its sequence and the hash of the previous entry, in hex. */
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

/** Sorts the keys of objects before hashing, because a database may return the keys of stored JSON in another order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, inner]) => [key, canonical(inner)] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1));
}
