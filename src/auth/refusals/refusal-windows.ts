import { networkOf } from '../../rate-limits/index.js';
import type { Refusal } from './refusal.js';

/** Duration of a window. Within it, refusals of the same source and code are counted together. */
export const WINDOW_MS = 60_000;
/**
 * Maximum number of pairs of source and code per team and window that have their own audit entry. Further pairs share
 * one summary.
 */
export const KINDS_PER_TEAM = 30;
/** Maximum number of teams that a process counts separately within a window. */
export const MAX_TEAMS = 1_000;

/** The refusals of one source and code that follow the first one in a window. */
export interface CountedRefusals {
  readonly kind: 'counted';
  /** The latest of the counted refusals. */
  readonly refusal: Refusal;
  readonly count: number;
  readonly sinceMs: number;
}

/** The refusals of a team in a window beyond `KINDS_PER_TEAM`, which have no audit entries of their own. */
export interface RefusalSummary {
  readonly kind: 'summary';
  readonly teamId: string | null;
  readonly count: number;
  readonly codes: Readonly<Record<string, number>>;
  readonly sinceMs: number;
}

interface Group {
  latest: Refusal;
  /** Number of refusals since the last audit entry. */
  count: number;
}

interface TeamWindow {
  readonly teamId: string | null;
  readonly sinceMs: number;
  readonly groups: Map<string, Group>;
  /**
   * Number of refusals beyond `KINDS_PER_TEAM`, by error code. Callers cannot choose error codes, so the map is
   * bounded.
   */
  readonly others: Map<string, number>;
}

/**
 * Counts refusals by team, source (key, user or network) and code, in windows of a minute. Memory is bounded: a team
 * has at most `KINDS_PER_TEAM` groups, and refusals of teams beyond `MAX_TEAMS` count as refusals without a team.
 */
export class RefusalWindows {
  private readonly windows = new Map<string | null, TeamWindow>();

  /** Counts a refusal. Returns true if it is the first of its source and code and needs an audit entry immediately. */
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

  /** Epoch milliseconds at which the next window ends; undefined if none is open. */
  get nextEndMs(): number | undefined {
    // All windows have the same duration and are sorted by start, so the first one ends first.
    const [first] = this.windows.values();
    return first === undefined ? undefined : first.sinceMs + WINDOW_MS;
  }

  /** Closes the windows that have ended at `nowMs` and returns their counts. */
  endDue(nowMs: number): readonly (CountedRefusals | RefusalSummary)[] {
    return this.end(nowMs, ({ sinceMs }) => sinceMs + WINDOW_MS <= nowMs);
  }

  /** Ends all windows early and returns their counts. */
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
      // The sources that were refused in this window also start the next one. Their next refusal is only counted, so
      // each source gets one entry per minute instead of two.
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
