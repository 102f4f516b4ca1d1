import { networkOf } from '../../rate-limits/index.js';
import type { Refusal } from './refusal.js';

/** Refusals of one source and code within a window are counted together. */
export const WINDOW_MS = 60_000;
/**
 * Maximum number of separately counted sources and codes per team and window. The rest share one
 * summary.
 */
export const KINDS_PER_TEAM = 30;
/** Maximum number of teams that are counted separately within a window. */
export const MAX_TEAMS = 1_000;

/** The refusals of one source and code after the first one in a window. */
export interface CountedRefusals {
  readonly kind: 'counted';
  /** The latest counted refusal. */
  readonly refusal: Refusal;
  readonly count: number;
  readonly sinceMs: number;
}

/** A team's refusals beyond `KINDS_PER_TEAM` in a window. */
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
  /** Counts by error code. Callers cannot choose error codes, so the map is bounded. */
  readonly others: Map<string, number>;
}

/**
 * Counts refusals per minute by team, source (key, user or network) and code. `KINDS_PER_TEAM` and
 * `MAX_TEAMS` bound the memory.
 */
export class RefusalWindows {
  private readonly windows = new Map<string | null, TeamWindow>();

  /** True for the first refusal of its source and code, which needs an audit entry immediately. */
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

  /** Epoch milliseconds; undefined if no window is open. */
  get nextEndMs(): number | undefined {
    // Windows have equal durations and are sorted by start, so the first ends first.
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
      // Refused sources stay open in the next window, so that each source gets one entry per minute
      // instead of two.
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
