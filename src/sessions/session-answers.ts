import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Principal } from '../access/index.js';
import { CLOCK, type Clock, defined } from '../platform/index.js';
import { etagOf } from '../http/index.js';
import { idPlace, type Page, page } from '../pages/index.js';
import type { Session } from './session.js';
import type { ListSessionsQuery } from './session.dto.js';
import { sessionView, type SessionView } from './session.view.js';
import { NO_EXECUTIONS, SessionExecutions } from './session-executions.js';
import { SessionsService } from './sessions.service.js';

/** Builds the API responses that contain sessions. */
@Injectable()
export class SessionAnswers {
  constructor(
    private readonly sessions: SessionsService,
    private readonly executions: SessionExecutions,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async page(principal: Principal, query: ListSessionsQuery): Promise<Page<SessionView>> {
    const { items, total } = await this.sessions.list(principal, filterOf(query), idPlace(query));
    const counts = await this.executions.counts(items.map(({ id }) => id));
    const now = this.clock.now();
    return page(query, {
      rows: items,
      total,
      cursorOf: ({ id }) => [id],
      toItem: (session) => sessionView(session, counts.get(session.id) ?? NO_EXECUTIONS, now),
    });
  }

  /** Returns one session with the counts of its executions. Also sets the `ETag` header of the response. */
  async one(session: Session, response: Response): Promise<SessionView> {
    response.set('ETag', etagOf(session.revision));
    const counts = await this.executions.counts([session.id]);
    return sessionView(session, counts.get(session.id) ?? NO_EXECUTIONS, this.clock.now());
  }
}

function filterOf({
  status,
  project_id,
  external_id,
  q,
}: ListSessionsQuery): Parameters<SessionsService['list']>[1] {
  return defined({ status, projectId: project_id?.toLowerCase(), externalId: external_id, q });
}
