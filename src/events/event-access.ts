import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { allows, MissingScopeError, type Principal, requireView } from '../access/index.js';
import { DashboardAuthenticator, KeyAuthenticator, RefusalLog } from '../auth/index.js';
import { NotFoundError, ServiceError } from '../errors/index.js';
import { ProjectsService } from '../projects/index.js';
import { type EventSubject, EventSubjects, type ExecutionSubject } from './event-subjects.js';
import { SocketFault } from './socket-fault.js';
import type { EventFilter } from './wire.js';

@Injectable()
export class EventAccess {
  constructor(
    private readonly keys: KeyAuthenticator,
    private readonly dashboard: DashboardAuthenticator,
    private readonly projects: ProjectsService,
    private readonly subjects: EventSubjects,
    private readonly refusals: RefusalLog,
  ) {}

  /**
   * Authenticates the API key or view token of an `auth` message.
   * @throws SocketFault if the credential is invalid, is not allowed from this address, or lacks `events:read`.
   */
  async admit(token: string, address: string): Promise<Principal> {
    const authenticated = this.keys.authenticate(token, address);
    return this.requireEventsRead(await this.orFault(authenticated, { address }, KEY_FAULTS));
  }

  /**
   * Authenticates the client by the dashboard's cookie in an upgrade request. The `Origin` header must be the service's
   * own origin, because browsers send the cookie with requests from pages of any origin.
   * @throws SocketFault if the cookie is missing or invalid, or if the user lacks `events:read`.
   */
  async admitSignedIn(request: IncomingMessage, address: string): Promise<Principal> {
    if (!this.dashboard.isCarriedBy(request)) throw new SocketFault('invalid_key');
    const authenticated = this.dashboard.authenticateUpgrade(request, address);
    return this.requireEventsRead((await this.orFault(authenticated, { address }, KEY_FAULTS)).principal);
  }

  /**
   * Returns the project of the execution, workflow or session in a filter; undefined if the filter names none.
   * @throws SocketFault if the execution, workflow or session does not exist, or the principal may not read it.
   */
  async projectOf(principal: Principal, filter: EventFilter): Promise<string | undefined> {
    if (!isWithinView(principal, filter)) throw new SocketFault('out_of_reach');
    let projectId: string | undefined;
    for (const subject of await this.subjectsOf(filter)) {
      if (subject === undefined) throw new SocketFault('unknown_subject');
      const caller = { address: principal.address, principal };
      await this.orFault(this.projects.reach(principal, subject.projectId), caller, REACH_FAULTS);
      projectId ??= subject.projectId;
    }
    return projectId;
  }

  /**
   * Returns an execution whose events the principal may read.
   * @throws NotFoundError if the execution does not exist.
   * @throws ProjectOutOfReachError if the principal may not read the project of the execution.
   * @throws ViewTokenScopeError if the principal's view token is for another resource.
   */
  async execution(principal: Principal, id: string): Promise<ExecutionSubject> {
    const subject = await this.requireReachable(
      principal,
      await this.subjects.execution(id),
      'execution',
      id,
    );
    requireView(principal, { executionId: id, sessionId: subject.sessionId });
    return subject;
  }

  /**
   * Returns a session whose events the principal may read.
   * @throws NotFoundError if the session does not exist.
   * @throws ProjectOutOfReachError if the principal may not read the project of the session.
   * @throws ViewTokenScopeError if the principal's view token is for another resource.
   */
  async session(principal: Principal, id: string): Promise<EventSubject> {
    requireView(principal, { sessionId: id });
    return this.requireReachable(principal, await this.subjects.session(id), 'session', id);
  }

  private async requireReachable<Subject extends EventSubject>(
    principal: Principal,
    subject: Subject | undefined,
    noun: string,
    id: string,
  ): Promise<Subject> {
    if (subject === undefined) throw new NotFoundError(noun, id);
    await this.projects.reach(principal, subject.projectId);
    return subject;
  }

  /** @throws SocketFault if the principal lacks `events:read` */
  private requireEventsRead(principal: Principal): Principal {
    if (mayReadEvents(principal)) return principal;
    const caller = { address: principal.address, principal };
    this.refusals.record(new MissingScopeError('events:read'), { ...caller, ...SOCKET });
    throw new SocketFault('missing_scope');
  }

  /**
   * Awaits an access check. If the check fails, records the refusal in the audit log, and converts the error to a
   * `SocketFault` if `codes` contains its HTTP status.
   */
  private async orFault<T>(
    work: Promise<T>,
    caller: { readonly address: string; readonly principal?: Principal },
    codes: typeof KEY_FAULTS | typeof REACH_FAULTS,
  ): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.refusals.record(error, { ...caller, ...SOCKET });
      throw asFault(error, codes);
    }
  }

  private subjectsOf({
    executionId,
    workflowId,
    sessionId,
  }: EventFilter): Promise<readonly (EventSubject | undefined)[]> {
    return Promise.all([
      ...(executionId === undefined ? [] : [this.subjects.execution(executionId)]),
      ...(workflowId === undefined ? [] : [this.subjects.workflow(workflowId)]),
      ...(sessionId === undefined ? [] : [this.subjects.session(sessionId)]),
    ]);
  }
}

/** Returns the execution or session to which a view token restricts the principal; empty without a view token. */
export function viewFilterOf({ view }: Principal): Pick<EventFilter, 'executionId' | 'sessionId'> {
  if (view === undefined) return {};
  return view.kind === 'execution' ? { executionId: view.id } : { sessionId: view.id };
}

/**
 * False if a filter names another execution or session than the one that the principal's view token allows.
 * Always true without a view token.
 */
function isWithinView(principal: Principal, filter: EventFilter): boolean {
  const { executionId, sessionId } = viewFilterOf(principal);
  return (
    (executionId === undefined || filter.executionId === undefined || filter.executionId === executionId) &&
    (sessionId === undefined || filter.sessionId === undefined || filter.sessionId === sessionId)
  );
}

export function mayReadEvents(principal: Principal): boolean {
  return allows(principal, 'events:read');
}

/** Method and path of the upgrade request, for audit log entries about refused sockets. */
const SOCKET = { method: 'GET', path: '/ws' } as const;

const KEY_FAULTS = { 401: 'invalid_key', 403: 'address_not_allowed', 429: 'too_many_attempts' } as const;
const REACH_FAULTS = { 403: 'out_of_reach', 404: 'unknown_subject' } as const;

function asFault(error: unknown, codes: typeof KEY_FAULTS | typeof REACH_FAULTS): unknown {
  const code =
    error instanceof ServiceError
      ? Object.entries(codes).find(([status]) => Number(status) === error.status)
      : undefined;
  return code === undefined ? error : new SocketFault(code[1]);
}
