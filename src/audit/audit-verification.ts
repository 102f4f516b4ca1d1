import { Injectable } from '@nestjs/common';
import { type AuditSeal, type ChainHead, EMPTY_CHAIN, hashOfEntry } from './audit-chain.js';
import type { AuditEntryEntity } from './audit-entry.entity.js';
import { SEAL_OVERLAP_MS, timeOf } from './audit-sealer.js';
import { AuditSealsRepository } from './audit-seals.repository.js';

/** The first audit entry that breaks a hash chain, because the entry was changed, deleted, moved or inserted. */
export interface BrokenEntry {
  readonly teamId: string;
  readonly sequence: number | null;
  readonly entryId: string;
  readonly reason: 'changed' | 'deleted' | 'gap' | 'inserted' | 'moved';
}

/** Result of checking the hash chains of all teams. The check stops at the first broken entry. */
export interface Verification {
  readonly chains: readonly (ChainHead & { readonly teamId: string; readonly unsealed: number })[];
  readonly broken: BrokenEntry | null;
}

const PAGE = 500;

@Injectable()
export class AuditVerification {
  constructor(private readonly repository: AuditSealsRepository) {}

  async verify(): Promise<Verification> {
    const chains = [];
    const newest = await this.repository.newestSealedId();
    for (const teamId of await this.repository.teamIds()) {
      const result = await this.verifyTeam(teamId);
      if ('reason' in result) return { chains, broken: result };
      // An unsealed entry that is over ten minutes older than the newest sealed entry was inserted
      // afterwards. The tolerance allows for entries that were committed out of order.
      const oldest = await this.repository.oldestUnsealed(teamId);
      if (oldest !== null && newest !== undefined && timeOf(oldest.id) < timeOf(newest) - SEAL_OVERLAP_MS)
        return { chains, broken: { teamId, sequence: null, entryId: oldest.id, reason: 'inserted' } };
      chains.push({ teamId, ...result, unsealed: await this.repository.countUnsealed(teamId) });
    }
    return { chains, broken: null };
  }

  private async verifyTeam(teamId: string): Promise<ChainHead | BrokenEntry> {
    let head = EMPTY_CHAIN;
    for (;;) {
      const seals = await this.repository.ofTeam(teamId, head.sequence, PAGE);
      const entries = await this.repository.entriesByIds(seals.map(({ entryId }) => entryId));
      for (const seal of seals) {
        const reason = faultOf(seal, entries.get(seal.entryId), head);
        if (reason !== null) return { teamId, sequence: seal.sequence, entryId: seal.entryId, reason };
        head = { sequence: seal.sequence, hash: seal.hash };
      }
      if (seals.length < PAGE) return head;
    }
  }
}

function faultOf(
  seal: AuditSeal,
  entry: AuditEntryEntity | undefined,
  head: ChainHead,
): BrokenEntry['reason'] | null {
  if (seal.sequence !== head.sequence + 1) return 'gap';
  if (seal.previousHash !== head.hash) return 'moved';
  if (entry === undefined) return 'deleted';
  if (entry.teamId !== seal.teamId) return 'moved';
  return hashOfEntry(entry, seal.sequence, seal.previousHash) === seal.hash ? null : 'changed';
}
