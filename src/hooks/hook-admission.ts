import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { RateLimitError } from '../errors/index.js';
import { ProjectsService } from '../projects/index.js';
import { FailedAuthLimiter, RateLimiter, retryAfterSeconds } from '../rate-limits/index.js';
import { TeamsService } from '../teams/index.js';
import { hashOfHookToken, looksLikeHookToken } from './hook-token.js';
import type { Hook } from './hook.js';
import { UnknownHookTokenError } from './hooks.errors.js';
import { HooksRepository } from './hooks.repository.js';

export interface AdmittedHook {
  readonly hook: Hook;
  readonly teamId: string;
}

/** Finds the hook to which a token belongs, and counts the request against the hook's rate limit. */
@Injectable()
export class HookAdmission {
  constructor(
    private readonly hooks: HooksRepository,
    private readonly projects: ProjectsService,
    private readonly teams: TeamsService,
    private readonly limiter: RateLimiter,
    private readonly failures: FailedAuthLimiter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async admit(token: string, address: string): Promise<AdmittedHook> {
    const now = this.clock.now();
    const hook = looksLikeHookToken(token)
      ? await this.hooks.findByToken(hashOfHookToken(token), isoTime(now))
      : undefined;
    const project = hook === undefined ? null : await this.projects.find(hook.projectId);
    if (hook === undefined || project === null) {
      this.failures.countFailure(address);
      throw new UnknownHookTokenError();
    }
    await this.count(hook, project.teamId);
    return { hook, teamId: project.teamId };
  }

  /** Counts a request to a hook. Each hook has its own token bucket, with the rates of the team's plan. */
  private async count({ id }: Hook, teamId: string): Promise<void> {
    const plan = (await this.teams.find(teamId))?.plan ?? '';
    const state = await this.limiter.take({ keyId: id, userId: id, teamId, plan });
    if (!state.allowed) throw new RateLimitError(retryAfterSeconds(state));
  }
}
