import { hash } from 'node:crypto';
import type { AuditEntryEntity } from './audit-entry.entity.js';

/** The sealed fields of a chain entry. */
export interface AuditSeal {
  readonly teamId: string;
  readonly sequence: number;
  readonly entryId: string;
  readonly previousHash: string;
  readonly hash: string;
}

/** The end of a chain; at sequence 0 nothing is sealed. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

export const EMPTY_CHAIN: ChainHead = { sequence: 0, hash: '' };

/** SHA-256, in hex, of an entry at its position in the chain of its team. */
export function hashOfEntry(entry: AuditEntryEntity, sequence: number, previousHash: string): string {
  return hash('sha256', JSON.stringify([previousHash, sequence, canonical(entry)]), 'hex');
}

/** The seals that append some entries of a team to its chain. */
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

/** Equal content gives the same value: databases may return the keys of JSON in another order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, inner]) => [key, canonical(inner)] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1));
}
