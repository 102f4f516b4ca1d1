import { networkOf } from '../../rate-limits/index.js';
import type { Refusal } from './refusal.js';

/**
 * Duration of a time window in milliseconds. Within a window, refusals with the same source and error code
 * are counted together.
 */
export const WINDOW_MS = 60_000;
/**
 * Maximum number of separately counted combinations of source and error code, per team and time window. All
 * other refusals share one summary.
 */
export const KINDS_PER_TEAM = 30;
/** Maximum number of teams whose refusals are counted separately within a time window. */
export const MAX_TEAMS = 1_000;

/**
 * Number of refusals with one source and error code within a window. The first refusal has an audit entry of its own
 * and is not counted.
 */
export interface CountedRefusals {
  readonly kind: 'counted';
  /** The most recent of the counted refusals. */
  readonly refusal: Refusal;
  readonly count: number;
  readonly sinceMs: number;
}

/**
 * Summary of a team's refusals that were not counted separately, because the team exceeded `KINDS_PER_TEAM` in the
 * window.
 */
export interface RefusalSummary {
  readonly kind: 'summary';
  readonly teamId: string | null;
  readonly count: number;
  readonly codes: Readonly<Record<string, number>>;
  readonly sinceMs: number;
}

interface Group {
  latest: Refusal;
  /** Number of refusals since the latest audit entry for this source and error code. */
  count: number;
}

interface TeamWindow {
  readonly teamId: string | null;
  readonly sinceMs: number;
  readonly groups: Map<string, Group>;
  /**
   * Numbers of refusals beyond the limit `KINDS_PER_TEAM`, by error code. Callers cannot choose error codes, so the map
   * stays small.
   */
  readonly others: Map<string, number>;
}

/**
 * Counts refusals per minute by team, source and error code. A source is an API key, a user or a network.
 * `KINDS_PER_TEAM` and `MAX_TEAMS` limit the memory.
 */
export class RefusalWindows {
  private readonly windows = new Map<string | null, TeamWindow>();

  /**
   * Counts a refusal.
   * @returns true for the first refusal of a source with an error code in a window; the caller then writes an audit
   * entry immediately
   */
  add(refusal: Refusal, nowMs: number): boolean {
    const isCrowded =
      refusal.teamId !== null && !this.windows.has(refusal.teamId) && this.windows.size >= MAX_TEAMS;
    const window = this.windowOf(isCrowded ? null : refusal.teamId, nowMs);
    const key = keyOf(refusal);
    const group = window.groups.get(key);
    if (group !== undefined && !isCrowded) {
      group.latest = refusal;
      group.count += 1;
      return false;
    }
    if (isCrowded || window.groups.size >= KINDS_PER_TEAM) {
      window.others.set(refusal.code, (window.others.get(refusal.code) ?? 0) + 1);
      return false;
    }
    window.groups.set(key, { latest: refusal, count: 0 });
    return true;
  }

  /** Time at which the next time window ends, in epoch milliseconds; undefined if no window is open. */
  get nextEndMs(): number | undefined {
    // Windows have equal durations and are sorted by start time, so the first window ends first.
    const [first] = this.windows.values();
    return first === undefined ? undefined : first.sinceMs + WINDOW_MS;
  }

  endDue(nowMs: number): readonly (CountedRefusals | RefusalSummary)[] {
    return this.end(nowMs, ({ sinceMs }) => sinceMs + WINDOW_MS <= nowMs);
  }

  endAll(nowMs: number): readonly (CountedRefusals | RefusalSummary)[] {
    return this.end(nowMs, () => true);
  }

  private end(
    nowMs: number,
    isOver: (window: TeamWindow) => boolean,
  ): readonly (CountedRefusals | RefusalSummary)[] {
    const over = [...this.windows.values()].filter(isOver);
    return over.flatMap((window) => {
      this.windows.delete(window.teamId);
      const going = [...window.groups].filter(([, { count }]) => count > 0);
      const counted = going.map(([, { latest, count }]) => ({
        kind: 'counted' as const,
        refusal: latest,
        count,
        sinceMs: window.sinceMs,
      }));
      // If a source was refused repeatedly in this window, its next refusal is only counted, even in the next
      // window. Otherwise, each minute would produce two audit entries for the source: one for the first
      // refusal and one for the count.
      for (const [key, { latest }] of going)
        this.windowOf(window.teamId, nowMs).groups.set(key, { latest, count: 0 });
      return [...counted, ...summaryOf(window)];
    });
  }

  private windowOf(teamId: string | null, nowMs: number): TeamWindow {
    let window = this.windows.get(teamId);
    if (window === undefined) {
      window = { teamId, sinceMs: nowMs, groups: new Map(), others: new Map() };
      this.windows.set(teamId, window);
    }
    return window;
  }
}

function keyOf({ action, code, keyId, userId, address }: Refusal): string {
  return `${action} ${code} ${keyId ?? userId ?? networkOf(address)}`;
}

function summaryOf({ teamId, sinceMs, others }: TeamWindow): readonly RefusalSummary[] {
  if (others.size === 0) return [];
  const count = [...others.values()].reduce((sum, one) => sum + one, 0);
  return [{ kind: 'summary', teamId, count, codes: Object.fromEntries(others), sinceMs }];
}
