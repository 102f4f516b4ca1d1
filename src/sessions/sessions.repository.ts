import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, SelectQueryBuilder, UpdateQueryBuilder } from 'typeorm';
import { type Statement, statementOf } from '../storage/index.js';
import type { Session, SessionStatus } from './session.js';
import { SessionEntity } from './session.entity.js';

/** Filter of a list of sessions. */
export interface SessionFilter {
  readonly projectIds: readonly string[];
  readonly status?: SessionStatus;
  readonly externalId?: string;
}

/** A page in the order of creation. */
export interface SessionPage {
  readonly limit: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  /** Id of the last session of the previous page. */
  readonly after?: string;
}

/** The statuses as conditions; `:now` is an ISO 8601 text. */
const HAS_STATUS: Readonly<Record<SessionStatus, string>> = {
  active: 's.closedAt IS NULL AND (s.expiresAt IS NULL OR s.expiresAt > :now)',
  closed: 's.closedAt IS NOT NULL',
  expired: 's.closedAt IS NULL AND s.expiresAt <= :now',
};

@Injectable()
export class SessionsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async find(id: string): Promise<Session | undefined> {
    const entity = await this.present().andWhere('s.id = :id', { id }).getOne();
    return entity === null ? undefined : toSession(entity);
  }

  /** The session that an external id identifies; it may have expired. */
  async findByExternalId(projectId: string, externalId: string): Promise<Session | undefined> {
    const entity = await this.present()
      .andWhere('s.projectId = :projectId AND s.openExternalId = :externalId', { projectId, externalId })
      .getOne();
    return entity === null ? undefined : toSession(entity);
  }

  /** @param now the instant for the filter's status */
  async list(
    filter: SessionFilter,
    page: SessionPage,
    now: string,
  ): Promise<{ readonly items: readonly Session[]; readonly total: number }> {
    if (filter.projectIds.length === 0) return { items: [], total: 0 };
    const query = this.present().andWhere('s.projectId IN (:...projectIds)', {
      projectIds: filter.projectIds,
    });
    if (filter.status !== undefined) query.andWhere(HAS_STATUS[filter.status], { now });
    if (filter.externalId !== undefined)
      query.andWhere('s.externalId = :externalId', { externalId: filter.externalId });
    const total = await query.getCount();
    if (page.after !== undefined)
      query.andWhere(`s.id ${page.order === 'asc' ? '>' : '<'} :after`, { after: page.after });
    const entities = await query
      .orderBy('s.id', page.order === 'asc' ? 'ASC' : 'DESC')
      .limit(page.limit)
      .offset(page.after === undefined ? page.offset : 0)
      .getMany();
    return { items: entities.map(toSession), total };
  }

  insertion(session: Session, onDuplicate: () => Error): Statement {
    const row: object = { ...session, openExternalId: session.externalId, deletedAt: null };
    return statementOf(this.dataSource.createQueryBuilder().insert().into(SessionEntity).values(row), {
      onDuplicate,
    });
  }

  /** Stores a client's changes, unless the session's revision changed since it was read. */
  change(session: Session, revision: number, orFail: () => Error): Statement {
    const { name, metadata, state, stateVersion, concurrency, expiresAt, updatedAt, lastActivityAt } =
      session;
    const set: object = {
      ...{ name, metadata, state, stateVersion, concurrency, expiresAt, updatedAt, lastActivityAt },
      revision: session.revision,
    };
    return statementOf(
      this.update(set).where(
        'id = :id AND revision = :revision AND closed_at IS NULL AND deleted_at IS NULL',
        {
          id: session.id,
          revision,
        },
      ),
      { orFail },
    );
  }

  /** Closes a session that is not closed. */
  closing(id: string, at: string): Statement {
    return statementOf(
      this.update({
        closedAt: at,
        updatedAt: at,
        openExternalId: null,
        revision: () => 'revision + 1',
      }).where('id = :id AND closed_at IS NULL AND deleted_at IS NULL', { id }),
    );
  }

  deletion(id: string, revision: number, at: string, orFail: () => Error): Statement {
    return statementOf(
      this.update({ deletedAt: at, openExternalId: null }).where(
        'id = :id AND revision = :revision AND deleted_at IS NULL',
        { id, revision },
      ),
      { orFail },
    );
  }

  /** Releases the external id of a session that expired before an instant. */
  release(id: string, now: string): Statement {
    return statementOf(
      this.update({ openExternalId: null, revision: () => 'revision + 1' }).where(
        'id = :id AND expires_at <= :now',
        { id, now },
      ),
    );
  }

  /** Records activity of a session that is not closed. */
  activity(id: string, at: string, orFail: () => Error): Statement {
    return statementOf(
      this.update({ lastActivityAt: at }).where('id = :id AND closed_at IS NULL AND deleted_at IS NULL', {
        id,
      }),
      { orFail },
    );
  }

  private update(set: object): UpdateQueryBuilder<SessionEntity> {
    return this.dataSource.createQueryBuilder().update(SessionEntity).set(set);
  }

  private present(): SelectQueryBuilder<SessionEntity> {
    return this.dataSource.createQueryBuilder(SessionEntity, 's').where('s.deletedAt IS NULL');
  }
}

function toSession({ openExternalId: _, deletedAt: __, ...session }: SessionEntity): Session {
  return session;
}
