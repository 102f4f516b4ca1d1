import { Inject, Injectable } from '@nestjs/common';
import type { IdPlace, PageRows } from '../pages/index.js';
import type { Principal } from '../access/index.js';
import { Idempotency } from '../idempotency/index.js';
import { CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import { ValidationError } from '../errors/index.js';
import { type Write, Writer } from '../storage/index.js';
import { ProjectsService } from '../projects/index.js';
import {
  bytesOf,
  MAX_DOCUMENT_BYTES,
  type NewSession,
  type Session,
  type SessionInput,
  statusAt,
} from './session.js';
import { SessionExecutions } from './session-executions.js';
import {
  ExternalIdTakenError,
  SessionBusyError,
  SessionChangedError,
  SessionClosedError,
  SessionNotFoundError,
} from './sessions.errors.js';
import { type SessionFilter, SessionsRepository } from './sessions.repository.js';

export interface OpenedSession {
  readonly session: Session;
  readonly isNew: boolean;
}

/**
 * Maximum number of tries to open a session while other requests create or close sessions with the same external id.
 */
const MAX_TRIES = 5;

@Injectable()
export class SessionsService {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly projects: ProjectsService,
    private readonly executions: SessionExecutions,
    private readonly writer: Writer,
    private readonly idempotency: Idempotency,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Creates a session, or returns the open session that already has the requested external id.
   *
   * @throws ValidationError when the state or the metadata is too long.
   * @throws ExternalIdTakenError when concurrent requests took the external id during every try.
   */
  async open(principal: Principal, projectId: string | undefined, input: NewSession): Promise<OpenedSession> {
    const project = await this.projects.resolve(principal, projectId);
    const session = this.sessionFrom(project.id, input);
    refuseLong(session);
    for (let tries = 1; ; tries += 1) {
      const holder =
        session.externalId === null
          ? undefined
          : await this.repository.findByExternalId(project.id, session.externalId);
      if (holder !== undefined && this.isOpen(holder)) return { session: holder, isNew: false };
      try {
        const now = isoTime(this.clock.now());
        const release = holder === undefined ? [] : [this.repository.release(holder.id, now)];
        const insertion = this.repository.insertion(session, () => new ExternalIdTakenError());
        await this.writer.commit({
          writes: [...this.idempotency.claim(session.id), ...release, insertion],
        });
        return { session, isNew: true };
      } catch (error) {
        if (!(error instanceof ExternalIdTakenError) || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** @throws SessionNotFoundError; ProjectOutOfReachError. */
  async read(principal: Principal, id: string): Promise<Session> {
    const session = await this.repository.find(id);
    if (session === undefined) throw new SessionNotFoundError(id);
    await this.projects.reach(principal, session.projectId);
    return session;
  }

  /** Returns a session without checking access. The caller must check access. */
  find(id: string): Promise<Session | undefined> {
    return this.repository.find(id);
  }

  async list(
    principal: Principal,
    filter: Omit<SessionFilter, 'projectIds'> & { readonly projectId?: string },
    place: IdPlace,
  ): Promise<PageRows<Session>> {
    const { projectId, ...rest } = filter;
    const projectIds = await this.projects.idsWithin(principal, projectId);
    return this.repository.list({ ...rest, projectIds }, place, isoTime(this.clock.now()));
  }

  /**
   * Changes the given fields of a session. Omitted fields keep their values.
   *
   * @throws ValidationError when the state or the metadata is too long; SessionClosedError; SessionChangedError.
   */
  async change(current: Session, input: SessionInput): Promise<Session> {
    this.requireActive(current);
    const now = isoTime(this.clock.now());
    const isSameState =
      input.state === undefined || JSON.stringify(input.state) === JSON.stringify(current.state);
    const next: Session = {
      ...current,
      ...input,
      stateVersion: isSameState ? current.stateVersion : current.stateVersion + 1,
      revision: current.revision + 1,
      updatedAt: now,
      lastActivityAt: now,
    };
    refuseLong(next);
    const change = this.repository.change(next, current.revision, () => new SessionChangedError());
    await this.writer.commit({ writes: [change] });
    return next;
  }

  /**
   * Closes a session. Executions of the session continue. Closing a closed session has no effect.
   *
   * @throws SessionNotFoundError when the session was deleted meanwhile.
   */
  async close(session: Session): Promise<Session> {
    if (session.closedAt !== null) return session;
    await this.writer.commit({ writes: [this.repository.closing(session.id, isoTime(this.clock.now()))] });
    const closed = await this.repository.find(session.id);
    if (closed === undefined) throw new SessionNotFoundError(session.id);
    return closed;
  }

  /**
   * @param cancel true to cancel unfinished executions; false to refuse the deletion because of them
   *
   * @throws SessionBusyError; SessionChangedError.
   */
  async delete({ id, revision, lastActivityAt }: Session, cancel: boolean): Promise<void> {
    const running = cancel ? 0 : ((await this.executions.counts([id])).get(id)?.running ?? 0);
    if (running > 0) throw new SessionBusyError(running);
    const cancellation = cancel ? this.executions.cancellation(id, 'The session was deleted.') : null;
    // An execution that starts after the count changes the last activity. `cancellation` also cancels such an execution.
    const read = cancel ? { revision } : { revision, lastActivityAt };
    const at = isoTime(this.clock.now());
    await this.writer.commit({
      writes: [
        this.repository.deletion(id, read, at, () => new SessionChangedError()),
        ...(cancellation?.writes ?? []),
      ],
    });
    await cancellation?.begin();
  }

  /**
   * Returns the session if an execution of the given project may start in the session.
   *
   * @throws SessionNotFoundError; ProjectOutOfReachError; SessionClosedError.
   * @throws ValidationError when the session is in another project.
   */
  async requireOpen(principal: Principal, id: string, projectId: string): Promise<Session> {
    const session = await this.read(principal, id);
    if (session.projectId !== projectId)
      throw ValidationError.of(
        'session_id',
        'other_project',
        'must be a session in the project of the workflow',
      );
    this.requireActive(session);
    return session;
  }

  /**
   * Returns a write that records activity of a session in the commit that starts an execution. The commit fails if the
   * session was closed in the meantime.
   *
   * @param at ISO 8601
   */
  touch(id: string, at: string): Write {
    return this.repository.activity(id, at, () => new SessionClosedError('closed'));
  }

  private isOpen(session: Session): boolean {
    return statusAt(session, this.clock.now()) === 'active';
  }

  private requireActive(session: Session): void {
    const status = statusAt(session, this.clock.now());
    if (status !== 'active') throw new SessionClosedError(status);
  }

  private sessionFrom(projectId: string, input: NewSession): Session {
    const now = isoTime(this.clock.now());
    const externalId = input.externalId ?? null;
    return {
      id: newId(),
      projectId,
      externalId,
      name: input.name ?? externalId ?? '',
      metadata: input.metadata ?? {},
      state: input.state ?? {},
      stateVersion: 1,
      concurrency: input.concurrency ?? 'parallel',
      revision: 1,
      createdAt: now,
      updatedAt: now,
      lastActivityAt: now,
      expiresAt: input.expiresAt ?? null,
      closedAt: null,
    };
  }
}

function refuseLong({ metadata, state }: Session): void {
  for (const [field, document] of Object.entries({ metadata, state }))
    if (bytesOf(document) > MAX_DOCUMENT_BYTES)
      throw ValidationError.of(
        field,
        'too_long',
        `must not have more than ${MAX_DOCUMENT_BYTES} bytes of JSON`,
      );
}
