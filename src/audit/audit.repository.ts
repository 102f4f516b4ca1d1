import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Brackets, type Repository, type SelectQueryBuilder } from 'typeorm';
import { type IdPlace, likeText, pageById, type PageRows } from '../pages/index.js';
import { insertShape, type RowWrite } from '../storage/index.js';
import { AuditEntryEntity } from './audit-entry.entity.js';

export interface AuditFilter {
  readonly teamId: string;
  /** Id of the project whose entries are read; null for entries of all projects. */
  readonly projectId: string | null;
  readonly action?: string;
  readonly actorId?: string;
  readonly targetId?: string;
  readonly subjectId?: string;
  /**
   * Selects entries whose resource or API key has a name that contains `part`, ignoring case. Also selects entries
   * whose actor or target is one of the users in `userIds`.
   */
  readonly text?: { readonly part: string; readonly userIds: readonly string[] };
  /** Time in ISO 8601. Only entries that were created later match. */
  readonly createdAfter?: string;
  readonly createdBefore?: string;
}

const INSERT = insertShape('audit_log', {
  id: 'uuid',
  team_id: 'uuid',
  project_id: 'uuid',
  user_id: 'uuid',
  key_id: 'uuid',
  address: 'text',
  request_id: 'text',
  action: 'text',
  target_type: 'text',
  target_id: 'uuid',
  before: 'json',
  after: 'json',
  created_at: 'timestamptz',
});

@Injectable()
export class AuditRepository {
  constructor(@InjectRepository(AuditEntryEntity) private readonly entries: Repository<AuditEntryEntity>) {}

  insert(entry: AuditEntryEntity): RowWrite {
    return {
      shape: INSERT,
      row: [
        entry.id,
        entry.teamId,
        entry.projectId,
        entry.userId,
        entry.keyId,
        entry.address,
        entry.requestId,
        entry.action,
        entry.targetType,
        entry.targetId,
        entry.before === null ? null : JSON.stringify(entry.before),
        entry.after === null ? null : JSON.stringify(entry.after),
        entry.createdAt,
      ],
    };
  }

  async list(filter: AuditFilter, place: IdPlace): Promise<PageRows<AuditEntryEntity>> {
    const query = this.filtered(filter);
    return pageById(query, place);
  }

  /** Returns the latest audit entry that contains the name of a resource. */
  latestNamed(teamId: string, targetId: string): Promise<AuditEntryEntity | null> {
    return this.filtered({ teamId, projectId: null, targetId })
      .andWhere("(entry.after ->> 'name' IS NOT NULL OR entry.before ->> 'name' IS NOT NULL)")
      .orderBy('entry.id', 'DESC')
      .limit(1)
      .getOne();
  }

  /** Returns audit entries with an id greater than `after`, oldest first. */
  page(filter: AuditFilter, after: string, limit: number): Promise<readonly AuditEntryEntity[]> {
    return this.filtered(filter)
      .andWhere('entry.id > :after', { after })
      .orderBy('entry.id', 'ASC')
      .limit(limit)
      .getMany();
  }

  private filtered(filter: AuditFilter): SelectQueryBuilder<AuditEntryEntity> {
    const query = this.entries
      .createQueryBuilder('entry')
      .where('entry.teamId = :teamId', { teamId: filter.teamId });
    if (filter.projectId !== null)
      query.andWhere('entry.projectId = :projectId', { projectId: filter.projectId });
    if (filter.action !== undefined) query.andWhere('entry.action = :action', { action: filter.action });
    if (filter.actorId !== undefined)
      query.andWhere('(entry.userId = :actorId OR entry.keyId = :actorId)', { actorId: filter.actorId });
    if (filter.targetId !== undefined)
      query.andWhere('entry.targetId = :targetId', { targetId: filter.targetId });
    if (filter.subjectId !== undefined)
      query.andWhere(
        '(entry.targetId = :subjectId OR entry.userId = :subjectId OR entry.keyId = :subjectId)',
        { subjectId: filter.subjectId },
      );
    if (filter.text !== undefined) query.andWhere(this.withText(filter.text));
    if (filter.createdAfter !== undefined)
      query.andWhere('entry.createdAt > :createdAfter', { createdAfter: filter.createdAfter });
    if (filter.createdBefore !== undefined)
      query.andWhere('entry.createdAt < :createdBefore', { createdBefore: filter.createdBefore });
    return query;
  }

  private withText({ part, userIds }: NonNullable<AuditFilter['text']>): Brackets {
    const named = (alias: string): string =>
      `(LOWER(${alias}.after ->> 'name') LIKE :part ESCAPE '\\' OR LOWER(${alias}.before ->> 'name') LIKE :part ESCAPE '\\')`;
    const keys = this.entries
      .createQueryBuilder('named')
      .select('named.targetId')
      .where('named.teamId = :teamId')
      .andWhere("named.targetType = 'key'")
      .andWhere(named('named'));
    return new Brackets((where) => {
      where
        .where(named('entry'), { part: `%${likeText(part.toLowerCase())}%` })
        .orWhere(`entry.keyId IN (${keys.getQuery()})`);
      if (userIds.length > 0)
        where
          .orWhere('(entry.userId IN (:...userIds) AND entry.keyId IS NULL)', { userIds })
          .orWhere('entry.targetId IN (:...userIds)', { userIds });
    });
  }
}
