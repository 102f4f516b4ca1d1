import { hash } from 'node:crypto';
import type { AuditEntryEntity } from './audit-entry.entity.js';

/** Position and hashes of an audit entry in the hash chain of its team. */
export interface AuditSeal {
  readonly teamId: string;
  readonly sequence: number;
  readonly entryId: string;
  readonly previousHash: string;
  readonly hash: string;
}

/** The last entry of a chain; sequence 0 if the chain is empty. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

export const EMPTY_CHAIN: ChainHead = { sequence: 0, hash: '' };

/** SHA-256 of an entry, its sequence and the hash of the previous entry, in hex. */
export function hashOfEntry(entry: AuditEntryEntity, sequence: number, previousHash: string): string {
  return hash('sha256', JSON.stringify([previousHash, sequence, canonical(entry)]), 'hex');
}

/** The seals that append entries of a team to the end of its chain. */
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

/**
 * Replaces each object by a sorted list of its fields, so that the hash does not depend on the order of keys. Databases
 * may return keys in another order than the one in which they were stored.
 */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, inner]) => [key, canonical(inner)] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1));
}
