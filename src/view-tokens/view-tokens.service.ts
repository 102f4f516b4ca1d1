import { Inject, Injectable } from '@nestjs/common';
import type { Principal, View } from '../access/index.js';
import { ViewTokens } from '../auth/index.js';
import { ValidationError } from '../errors/index.js';
import { ReachableExecutions } from '../execution-store/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import { SessionsService } from '../sessions/index.js';

export interface ViewTokenRequest {
  readonly executionId?: string;
  readonly sessionId?: string;
  readonly expiresInSeconds: number;
}

/** A view token and its expiry time, in epoch milliseconds. */
export interface IssuedViewToken {
  readonly token: string;
  readonly expiresAt: number;
}

@Injectable()
export class ViewTokensService {
  constructor(
    private readonly tokens: ViewTokens,
    private readonly executions: ReachableExecutions,
    private readonly sessions: SessionsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @throws ValidationError unless the request names exactly one execution or session.
   *
   * @throws ExecutionNotFoundError; SessionNotFoundError; ProjectOutOfReachError.
   */
  async issue(principal: Principal, request: ViewTokenRequest): Promise<IssuedViewToken> {
    const { executionId, sessionId } = request;
    if ((executionId === undefined) === (sessionId === undefined))
      throw ValidationError.of(
        'execution_id',
        'exactly_one',
        'is required unless session_id is set: set exactly one of them',
      );
    const expiresAt = this.clock.now() + request.expiresInSeconds * 1_000;
    const view = { ...(await this.subjectOf(principal, executionId, sessionId)), expiresAt };
    return { token: await this.tokens.issue(principal, view), expiresAt };
  }

  private async subjectOf(
    principal: Principal,
    executionId: string | undefined,
    sessionId: string | undefined,
  ): Promise<Pick<View, 'kind' | 'id'>> {
    if (executionId !== undefined)
      return { kind: 'execution', id: (await this.executions.read(principal, executionId)).id };
    return { kind: 'session', id: (await this.sessions.read(principal, sessionId ?? '')).id };
  }
}
