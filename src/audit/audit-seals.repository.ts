import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { insertStatement, type Statement } from '../storage/index.js';
import { type AuditSeal, type ChainHead, EMPTY_CHAIN } from './audit-chain.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditSealEntity } from './audit-seal.entity.js';

@Injectable()
export class AuditSealsRepository {
  constructor(
    @InjectRepository(AuditSealEntity) private readonly seals: Repository<AuditSealEntity>,
    @InjectRepository(AuditEntryEntity) private readonly entries: Repository<AuditEntryEntity>,
  ) {}

  async newestSealedId(): Promise<string | undefined> {
    const row = await this.seals.createQueryBuilder('seal').orderBy('seal.entryId', 'DESC').limit(1).getOne();
    return row?.entryId;
  }

  /**
   * Returns audit entries without a seal, which are not in the hash chain yet. Their ids are greater than
   * `after`, and the oldest entry comes first.
   */
  unsealed(after: string, limit: number): Promise<readonly AuditEntryEntity[]> {
    return this.entries
      .createQueryBuilder('entry')
      .leftJoin(AuditSealEntity, 'seal', 'seal.entryId = entry.id')
      .where('entry.id > :after AND seal.entryId IS NULL', { after })
      .orderBy('entry.id', 'ASC')
      .limit(limit)
      .getMany();
  }

  countUnsealed(teamId: string): Promise<number> {
    return this.entries
      .createQueryBuilder('entry')
      .leftJoin(AuditSealEntity, 'seal', 'seal.entryId = entry.id')
      .where('entry.teamId = :teamId AND seal.entryId IS NULL', { teamId })
      .getCount();
  }

  async oldestUnsealed(teamId: string): Promise<AuditEntryEntity | null> {
    return this.entries
      .createQueryBuilder('entry')
      .leftJoin(AuditSealEntity, 'seal', 'seal.entryId = entry.id')
      .where('entry.teamId = :teamId AND seal.entryId IS NULL', { teamId })
      .orderBy('entry.id', 'ASC')
      .limit(1)
      .getOne();
  }

  async headOf(teamId: string): Promise<ChainHead> {
    const row = await this.seals
      .createQueryBuilder('seal')
      .where('seal.teamId = :teamId', { teamId })
      .orderBy('seal.sequence', 'DESC')
      .limit(1)
      .getOne();
    return row ?? EMPTY_CHAIN;
  }

  /** Returns the seals of a team in ascending order of their sequence. */
  ofTeam(teamId: string, afterSequence: number, limit: number): Promise<readonly AuditSeal[]> {
    return this.seals
      .createQueryBuilder('seal')
      .where('seal.teamId = :teamId AND seal.sequence > :afterSequence', { teamId, afterSequence })
      .orderBy('seal.sequence', 'ASC')
      .limit(limit)
      .getMany();
  }

  async ofEntries(entryIds: readonly string[]): Promise<ReadonlyMap<string, AuditSeal>> {
    if (entryIds.length === 0) return new Map();
    const rows = await this.seals
      .createQueryBuilder('seal')
      .where('seal.entryId IN (:...entryIds)', { entryIds })
      .getMany();
    return new Map(rows.map((row) => [row.entryId, row]));
  }

  async entriesByIds(ids: readonly string[]): Promise<ReadonlyMap<string, AuditEntryEntity>> {
    if (ids.length === 0) return new Map();
    const rows = await this.entries
      .createQueryBuilder('entry')
      .where('entry.id IN (:...ids)', { ids })
      .getMany();
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * Returns the ids of all teams with audit entries or seals. A team without entries still has seals if its entries
   * were deleted.
   */
  async teamIds(): Promise<readonly string[]> {
    const rows = await this.entries.manager.dataSource.query<readonly { readonly team_id: string }[]>(
      'SELECT team_id FROM audit_log UNION SELECT team_id FROM audit_seals ORDER BY team_id',
    );
    return rows.map(({ team_id }) => team_id);
  }

  /**
   * @param onDuplicate creates the error of the commit if the sequence already exists
   */
  insert(seal: AuditSeal, onDuplicate: () => Error): Statement {
    return insertStatement(this.seals, seal, { onDuplicate });
  }
}
