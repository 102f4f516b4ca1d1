import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { TtlCache } from '../execution-reports/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import { ProjectsService } from '../projects/index.js';
import { WebhooksRepository } from '../webhooks/index.js';

/** Maximum number of webhooks in the list. The webhooks with the longest failures and largest backlogs come first. */
const MAX_ENDPOINTS = 10;
/**
 * Milliseconds for which the figures are cached, because each webhook needs a count of its undelivered journal events.
 */
const KEPT_MS = 5_000;

/** An active webhook that has undelivered events or a failing endpoint. */
export interface WebhookBacklog {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  readonly lagEvents: number;
  /**
   * Time of the first failed attempt since the last successful attempt, in ISO 8601. Null if the last attempt
   * succeeded.
   */
  readonly failingSince: string | null;
}

export interface WebhookFigures {
  readonly active: number;
  /** Number of active webhooks of all teams that have undelivered events. */
  readonly behind: number;
  /** Number of active webhooks of all teams whose last attempt failed. */
  readonly failing: number;
  /** Largest number of undelivered events of one webhook. */
  readonly maxLagEvents: number;
  /** Start of the failure that has lasted longest among all webhooks. Null if no webhook fails. */
  readonly failingSince: string | null;
  /** Webhooks in the caller's projects, at most ten. The longest failures come first, then the largest backlogs. */
  readonly endpoints: readonly WebhookBacklog[];
}

/**
 * Finds active webhooks with undelivered events or a failing endpoint. The figures cover all teams, but only the
 * caller's team sees the URLs of its webhooks.
 */
@Injectable()
export class WebhookBacklogs {
  private readonly measured: TtlCache<{ readonly active: number; readonly late: readonly WebhookBacklog[] }>;

  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly projects: ProjectsService,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.measured = new TtlCache(clock, KEPT_MS, 1);
  }

  async read(principal: Principal): Promise<WebhookFigures> {
    const [{ value }, projects] = await Promise.all([
      this.measured.get('', () => this.measure()),
      this.projects.reachable(principal),
    ]);
    const { active, late } = value;
    const own = new Set(projects.map(({ id }) => id));
    return {
      active,
      behind: late.filter(({ lagEvents }) => lagEvents > 0).length,
      failing: late.filter(({ failingSince }) => failingSince !== null).length,
      maxLagEvents: Math.max(0, ...late.map(({ lagEvents }) => lagEvents)),
      failingSince: late[0]?.failingSince ?? null,
      endpoints: late.filter(({ projectId }) => own.has(projectId)).slice(0, MAX_ENDPOINTS),
    };
  }

  private async measure(): Promise<{ readonly active: number; readonly late: readonly WebhookBacklog[] }> {
    const active = await this.webhooks.active();
    const lags = await this.webhooks.lags(active.map(({ id }) => id));
    const late = active
      .map(({ id, projectId, url, failingSince }) => ({
        ...{ id, projectId, url, failingSince },
        lagEvents: lags.get(id) ?? 0,
      }))
      .filter(({ lagEvents, failingSince }) => lagEvents > 0 || failingSince !== null)
      .toSorted(worstFirst);
    return { active: active.length, late };
  }
}

function worstFirst(a: WebhookBacklog, b: WebhookBacklog): number {
  if (a.failingSince !== b.failingSince) {
    if (a.failingSince === null) return 1;
    if (b.failingSince === null) return -1;
    return a.failingSince < b.failingSince ? -1 : 1;
  }
  return b.lagEvents - a.lagEvents;
}
