import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { allows, MissingScopeError, type Principal, requireView } from '../access/index.js';
import { DashboardAuthenticator, KeyAuthenticator, RefusalLog } from '../auth/index.js';
import { NotFoundError, ServiceError } from '../errors/index.js';
import { ProjectsService } from '../projects/index.js';
import { type EventSubject, EventSubjects, type ExecutionSubject } from './event-subjects.js';
import { SocketFault } from './socket-fault.js';
import type { EventFilter } from './wire.js';

/** Who may follow what. */
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
   * The principal behind the key or view token of an `auth` message.
   * @throws SocketFault when the key is not valid, or may not be used from there or for events.
   */
  async admit(token: string, address: string): Promise<Principal> {
    const authenticated = this.keys.authenticate(token, address);
    return this.entitled(await this.orFault(authenticated, { address }, KEY_FAULTS));
  }

  /**
   * The principal behind the dashboard's cookie that came with a socket's request. Browsers send it for pages
   * of any origin; it counts only for the service's own.
   * @throws SocketFault as `admit` does, and where there is no cookie.
   */
  async admitSignedIn(request: IncomingMessage, address: string): Promise<Principal> {
    if (!this.dashboard.isCarriedBy(request)) throw new SocketFault('invalid_key');
    const authenticated = this.dashboard.authenticateUpgrade(request, address);
    return this.entitled((await this.orFault(authenticated, { address }, KEY_FAULTS)).principal);
  }

  /**
   * The one project that a filter can concern, if it names something of one.
   * @throws SocketFault when what it names does not exist or is out of the principal's reach.
   */
  async projectOf(principal: Principal, filter: EventFilter): Promise<string | undefined> {
    if (!isWithinView(principal, filter)) throw new SocketFault('out_of_reach');
    let projectId: string | undefined;
    for (const subject of await this.named(filter)) {
      if (subject === undefined) throw new SocketFault('unknown_subject');
      const caller = { address: principal.address, principal };
      await this.orFault(this.projects.reach(principal, subject.projectId), caller, REACH_FAULTS);
      projectId ??= subject.projectId;
    }
    return projectId;
  }

  /**
   * @throws NotFoundError when there is no such execution.
   * @throws ProjectOutOfReachError when it is not the principal's to read.
   * @throws ViewTokenScopeError
   */
  async execution(principal: Principal, id: string): Promise<ExecutionSubject> {
    const subject = await this.reached(principal, await this.subjects.execution(id), 'execution', id);
    requireView(principal, { executionId: id, sessionId: subject.sessionId });
    return subject;
  }

  /**
   * @throws NotFoundError when there is no such session.
   * @throws ProjectOutOfReachError when it is not the principal's to read.
   * @throws ViewTokenScopeError
   */
  async session(principal: Principal, id: string): Promise<EventSubject> {
    requireView(principal, { sessionId: id });
    return this.reached(principal, await this.subjects.session(id), 'session', id);
  }

  private async reached<Subject extends EventSubject>(
    principal: Principal,
    subject: Subject | undefined,
    noun: string,
    id: string,
  ): Promise<Subject> {
    if (subject === undefined) throw new NotFoundError(noun, id);
    await this.projects.reach(principal, subject.projectId);
    return subject;
  }

  /** @throws SocketFault */
  private entitled(principal: Principal): Principal {
    if (mayFollow(principal)) return principal;
    const caller = { address: principal.address, principal };
    this.refusals.record(new MissingScopeError('events:read'), { ...caller, ...SOCKET });
    throw new SocketFault('missing_scope');
  }

  /** Turns refusals of other rooms into those of a socket, once they are counted; anything else is passed on. */
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

  private named({
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

/** The part of the feed that a principal may follow: everything in its projects, unless it has a view token. */
export function followedBy({ view }: Principal): Pick<EventFilter, 'executionId' | 'sessionId'> {
  if (view === undefined) return {};
  return view.kind === 'execution' ? { executionId: view.id } : { sessionId: view.id };
}

/** Whether a filter names nothing else than a principal's view token shows. */
function isWithinView(principal: Principal, filter: EventFilter): boolean {
  const { executionId, sessionId } = followedBy(principal);
  return (
    (executionId === undefined || filter.executionId === undefined || filter.executionId === executionId) &&
    (sessionId === undefined || filter.sessionId === undefined || filter.sessionId === sessionId)
  );
}

/** Whether the feed is open to a principal at all. */
export function mayFollow(principal: Principal): boolean {
  return allows(principal, 'events:read');
}

/** Where sockets are opened, in the audit log. */
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
