import { networkOf } from '../../rate-limits/index.js';
import type { Refusal } from './refusal.js';

/** Length of the window in which equal refusals are counted. */
export const WINDOW_MS = 60_000;
/** Kinds of refusals per team that have entries of their own in a window; further ones share one summary. */
export const KINDS_PER_TEAM = 30;
/** Teams counted separately in one window by one process. */
export const MAX_TEAMS = 1_000;

/** Refusals of one source and code after the first. */
export interface CountedRefusals {
  readonly kind: 'counted';
  /** The latest of these refusals. */
  readonly refusal: Refusal;
  readonly count: number;
  readonly sinceMs: number;
}

/** Refusals of a window that have no entries of their own. */
export interface RefusalSummary {
  readonly kind: 'summary';
  readonly teamId: string | null;
  readonly count: number;
  readonly codes: Readonly<Record<string, number>>;
  readonly sinceMs: number;
}

interface Group {
  latest: Refusal;
  /** Not written yet. */
  count: number;
}

interface TeamWindow {
  readonly teamId: string | null;
  readonly sinceMs: number;
  readonly groups: Map<string, Group>;
  /** Refusals without a group, by code; the codes are the service's own. */
  readonly others: Map<string, number>;
}

/**
 * Counts refusals by team, source (key, user or network) and code, in windows of a minute. Memory is bounded: a team
 * has at most `KINDS_PER_TEAM` groups, and beyond `MAX_TEAMS` teams refusals count as refusals without a team.
 */
export class RefusalWindows {
  private readonly windows = new Map<string | null, TeamWindow>();

  /** Whether to write a refusal at once: the first of its source and code. The others are counted. */
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

  /** When the next window ends, in epoch milliseconds; undefined if none is open. */
  get nextEndMs(): number | undefined {
    // Windows have equal length and are kept in the order of their start.
    const [first] = this.windows.values();
    return first === undefined ? undefined : first.sinceMs + WINDOW_MS;
  }

  /** Closes the windows that ended before an instant. Returns their counts. */
  endDue(nowMs: number): readonly (CountedRefusals | RefusalSummary)[] {
    return this.end(nowMs, ({ sinceMs }) => sinceMs + WINDOW_MS <= nowMs);
  }

  /** Closes every window early. */
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
      // A source that continues gets one entry per minute, without another first entry.
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
