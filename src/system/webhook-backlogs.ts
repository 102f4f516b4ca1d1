import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { TtlCache } from '../execution-reports/index.js';
import { CLOCK, type Clock } from '../platform/index.js';
import { ProjectsService } from '../projects/index.js';
import { WebhooksRepository } from '../webhooks/index.js';

/** Maximum number of listed endpoints, the worst first. */
const MAX_ENDPOINTS = 10;
/** Cache lifetime of the backlogs in milliseconds. Each webhook needs a count of the journal. */
const KEPT_MS = 5_000;

/** An active webhook with undelivered events or a failing endpoint. */
export interface WebhookBacklog {
  readonly id: string;
  readonly projectId: string;
  readonly url: string;
  readonly lagEvents: number;
  /** ISO 8601. Null for a working endpoint. */
  readonly failingSince: string | null;
}

export interface WebhookFigures {
  readonly active: number;
  /** Number of all teams' active webhooks with undelivered events. */
  readonly behind: number;
  /** Number of all teams' active webhooks whose last attempt failed. */
  readonly failing: number;
  /** The largest backlog of one webhook, in events. */
  readonly maxLagEvents: number;
  /** Start of the longest current failure of an endpoint. Null if no endpoint fails. */
  readonly failingSince: string | null;
  /** Webhooks that the caller may see: the longest failures first, then the largest backlogs. */
  readonly endpoints: readonly WebhookBacklog[];
}

/**
 * Finds webhooks with undelivered events. The figures cover all teams, but URLs are shown only for the caller's team.
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
