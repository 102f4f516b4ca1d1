import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject } from '../expressions/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { mergePatch } from '../http/index.js';
import { Writer } from '../storage/index.js';
import { bytesOf, MAX_DOCUMENT_BYTES, type Session, statusAt } from './session.js';
import { SessionStatesRepository } from './session-states.repository.js';
import {
  SessionChangedError,
  SessionClosedError,
  SessionNotFoundError,
  SessionStateConflictError,
  SessionStateTooLongError,
} from './sessions.errors.js';
import { SessionsRepository } from './sessions.repository.js';

export interface StateChange {
  readonly sessionId: string;
  readonly patch: JsonObject;
  /** State version that the session must have before the change. Null to accept every version. */
  readonly expectedVersion: number | null;
  /**
   * Idempotency key of the change. Repeated attempts of a node send the same key, so that the change happens only once.
   */
  readonly idempotencyKey: string;
}

export interface SessionState {
  readonly state: JsonObject;
  readonly stateVersion: number;
}

/**
 * Maximum number of tries to commit a state change. A try fails when another process changes the same session first.
 */
const MAX_TRIES = 50;

/**
 * Milliseconds for which the results of state changes are kept: 24 hours. A repeated attempt after that time would
 * change the state again.
 */
const RESULT_RETENTION_MS = 24 * 60 * 60 * 1_000;

/** Thrown by a commit if another attempt of the node has already committed the same change. */
class AlreadyChangedError extends Error {}

@Injectable()
export class SessionStates {
  /**
   * The last pending state change of each session in this process, by session id. A new change of a session starts
   * after the pending change.
   */
  private readonly lastChanges = new Map<string, Promise<unknown>>();

  constructor(
    private readonly changes: SessionStatesRepository,
    private readonly sessions: SessionsRepository,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Merges a patch into the state of a session, and records the result for repeated attempts of the node.
   *
   * @throws SessionNotFoundError; SessionClosedError; SessionStateConflictError; SessionStateTooLongError.
   * @throws SessionChangedError when other processes changed the session during every try.
   */
  async change(change: StateChange): Promise<SessionState> {
    const { sessionId } = change;
    // This process changes a session's state one change at a time, so commit conflicts come only from other processes.
    const changed = (this.lastChanges.get(sessionId) ?? Promise.resolve()).then(() =>
      this.commitChange(change),
    );
    const settled = changed.catch(() => undefined);
    this.lastChanges.set(sessionId, settled);
    try {
      return await changed;
    } finally {
      if (this.lastChanges.get(sessionId) === settled) this.lastChanges.delete(sessionId);
    }
  }

  private async commitChange({
    sessionId,
    patch,
    expectedVersion,
    idempotencyKey,
  }: StateChange): Promise<SessionState> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const known = await this.changes.find(idempotencyKey);
      if (known !== null) return known;
      const session = await this.open(sessionId);
      if (expectedVersion !== null && expectedVersion !== session.stateVersion)
        throw new SessionStateConflictError(expectedVersion, session.stateVersion);
      const state = mergePatch(session.state, patch) as JsonObject;
      if (bytesOf(state) > MAX_DOCUMENT_BYTES) throw new SessionStateTooLongError(bytesOf(state));
      try {
        return await this.write(session, state, idempotencyKey);
      } catch (error) {
        if (!(error instanceof SessionChangedError || error instanceof AlreadyChangedError)) throw error;
      }
    }
    throw new SessionChangedError();
  }

  /** Deletes the results of state changes that are older than 24 hours. */
  async removeOldChanges(): Promise<void> {
    const before = isoTime(this.clock.now() - RESULT_RETENTION_MS);
    await this.writer.commit({ writes: [this.changes.deletionBefore(before)] });
  }

  private async open(id: string): Promise<Session> {
    const session = await this.sessions.find(id);
    if (session === undefined) throw new SessionNotFoundError(id);
    const status = statusAt(session, this.clock.now());
    if (status !== 'active') throw new SessionClosedError(status);
    return session;
  }

  private async write(session: Session, state: JsonObject, id: string): Promise<SessionState> {
    const now = this.clock.now();
    const at = isoTime(now);
    const isSame = JSON.stringify(state) === JSON.stringify(session.state);
    const next: Session = {
      ...session,
      state,
      stateVersion: session.stateVersion + (isSame ? 0 : 1),
      revision: session.revision + (isSame ? 0 : 1),
      updatedAt: isSame ? session.updatedAt : at,
      lastActivityAt: at,
    };
    const { stateVersion } = next;
    const record = { id, sessionId: session.id, state, stateVersion, createdAt: at };
    await this.writer.commit({
      key: session.id,
      writes: [
        this.changes.deletionBefore(isoTime(now - RESULT_RETENTION_MS)),
        this.changes.insertion(record, () => new AlreadyChangedError()),
        this.sessions.change(next, session.revision, () => new SessionChangedError()),
      ],
    });
    return { state, stateVersion };
  }
}
