import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { type IdPlace, pageById, type PageRows, withText } from '../pages/index.js';
import { insertStatement, type Statement, updateStatement } from '../storage/index.js';
import type { Session, SessionStatus } from './session.js';
import { SessionEntity } from './session.entity.js';

export interface SessionFilter {
  readonly projectIds: readonly string[];
  readonly status?: SessionStatus;
  readonly externalId?: string;
  /**
   * Search text: a part of the name, external id or metadata, or the beginning of the id or of its last eight
   * characters. Only the newest 10,000 sessions are searched.
   */
  readonly q?: string;
}

/** Maximum number of sessions that a text search covers. The search covers the newest sessions. */
const MAX_SEARCHED = 10_000;

/** SQL condition for each session status. The parameter `:now` is the current time in ISO 8601. */
const HAS_STATUS: Readonly<Record<SessionStatus, string>> = {
  active: 's.closedAt IS NULL AND (s.expiresAt IS NULL OR s.expiresAt > :now)',
  closed: 's.closedAt IS NOT NULL',
  expired: 's.closedAt IS NULL AND s.expiresAt <= :now',
};

@Injectable()
export class SessionsRepository {
  constructor(@InjectRepository(SessionEntity) private readonly sessions: Repository<SessionEntity>) {}

  async find(id: string): Promise<Session | undefined> {
    const entity = await this.undeleted().andWhere('s.id = :id', { id }).getOne();
    return entity === null ? undefined : toSession(entity);
  }

  /**
   * Returns the session that holds an external id. An expired session holds its external id until another session takes
   * the id.
   */
  async findByExternalId(projectId: string, externalId: string): Promise<Session | undefined> {
    const entity = await this.undeleted()
      .andWhere('s.projectId = :projectId AND s.openExternalId = :externalId', { projectId, externalId })
      .getOne();
    return entity === null ? undefined : toSession(entity);
  }

  /** @param now time for which the status filter is evaluated */
  async list(filter: SessionFilter, place: IdPlace, now: string): Promise<PageRows<Session>> {
    if (filter.projectIds.length === 0) return { items: [], total: 0 };
    const query = this.undeleted().andWhere('s.projectId IN (:...projectIds)', {
      projectIds: filter.projectIds,
    });
    if (filter.status !== undefined) query.andWhere(HAS_STATUS[filter.status], { now });
    if (filter.externalId !== undefined)
      query.andWhere('s.externalId = :externalId', { externalId: filter.externalId });
    if (filter.q !== undefined) {
      const newest = this.sessions
        .createQueryBuilder('n')
        .select('n.id', 'id')
        .where('n.projectId IN (:...projectIds)')
        .orderBy('n.id', 'DESC')
        .limit(MAX_SEARCHED);
      query.andWhere(`s.id IN (SELECT newest.id FROM (${newest.getQuery()}) AS newest)`);
      withText(query, filter.q, ['name', 'externalId', 'metadata']);
    }
    const { items, total } = await pageById(query, place);
    return { items: items.map(toSession), total };
  }

  insertion(session: Session, onDuplicate: () => Error): Statement {
    const row = { ...session, openExternalId: session.externalId, deletedAt: null };
    return insertStatement(this.sessions, row, { onDuplicate });
  }

  change(session: Session, revision: number, orFail: () => Error): Statement {
    const { name, metadata, state, stateVersion, concurrency, expiresAt, updatedAt, lastActivityAt } =
      session;
    const set = { name, metadata, state, stateVersion, concurrency, expiresAt, updatedAt, lastActivityAt };
    return updateStatement(
      this.sessions,
      { ...set, revision: session.revision },
      { id: session.id, revision, closedAt: null, deletedAt: null },
      { orFail },
    );
  }

  closing(id: string, at: string): Statement {
    return updateStatement(
      this.sessions,
      { closedAt: at, updatedAt: at, openExternalId: null, revision: () => 'revision + 1' },
      { id, closedAt: null, deletedAt: null },
    );
  }

  /** The deletion fails if a field in `read` has changed. */
  deletion(
    id: string,
    read: Pick<Session, 'revision'> & Partial<Pick<Session, 'lastActivityAt'>>,
    at: string,
    orFail: () => Error,
  ): Statement {
    return updateStatement(
      this.sessions,
      { deletedAt: at, openExternalId: null },
      { id, ...read, deletedAt: null },
      { orFail },
    );
  }

  /**
   * Statement that removes the external id of an expired session, so that a new session can use the id.
   *
   * @param now ISO 8601
   */
  release(id: string, now: string): Statement {
    return updateStatement(this.sessions, { openExternalId: null, revision: () => 'revision + 1' }, [
      'id = :id AND expires_at <= :now',
      { id, now },
    ]);
  }

  /**
   * Returns the statement that updates the last activity of a session. The commit fails if the session is closed or
   * deleted.
   */
  activity(id: string, at: string, orFail: () => Error): Statement {
    return updateStatement(
      this.sessions,
      { lastActivityAt: at },
      { id, closedAt: null, deletedAt: null },
      { orFail },
    );
  }

  private undeleted(): SelectQueryBuilder<SessionEntity> {
    return this.sessions.createQueryBuilder('s').where('s.deletedAt IS NULL');
  }
}

function toSession({ openExternalId: _, deletedAt: __, ...session }: SessionEntity): Session {
  return session;
}
