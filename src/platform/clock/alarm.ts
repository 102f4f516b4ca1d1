import type { Clock } from './clock.js';

/** Longest delay in milliseconds of a Node.js timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Alarm {
  /** Time of the alarm in epoch milliseconds. Infinity if only `atMostMs` applies. */
  readonly at: number;
  /** Milliseconds after which the alarm fires in any case. The clock may change in the meantime. */
  readonly atMostMs?: number;
  /** Whether the alarm keeps the process alive. Default: false. */
  readonly keepsAlive?: boolean;
}

interface PendingAlarm {
  readonly clock: Clock;
  readonly at: number;
  readonly wake: () => void;
}

const pending = new Set<PendingAlarm>();

/**
 * Calls `wake` once when the clock reaches the time of the alarm.
 *
 * @returns a function that cancels the alarm
 */
export function setAlarm(clock: Clock, alarm: Alarm, wake: () => void): () => void {
  const { at, atMostMs = MAX_TIMER_MS, keepsAlive = false } = alarm;
  const cancel = (): void => {
    clearTimeout(timer);
    pending.delete(entry);
  };
  const wakeOnce = (): void => {
    cancel();
    wake();
  };
  const entry: PendingAlarm = { clock, at, wake: wakeOnce };
  const timer = setTimeout(wakeOnce, Math.min(Math.max(at - clock.now(), 0), atMostMs, MAX_TIMER_MS));
  if (!keepsAlive) timer.unref();
  if (at !== Infinity) pending.add(entry);
  return cancel;
}

/** Epoch milliseconds of a clock's earliest alarm, or null. */
export function nextAlarmAt(clock: Clock): number | null {
  let next: number | null = null;
  for (const alarm of pending)
    if (alarm.clock === clock && (next === null || alarm.at < next)) next = alarm.at;
  return next;
}

/** Fires the due alarms of a clock, the earliest first. Must be called after the clock is set. */
export function wakeDue(clock: Clock): void {
  const now = clock.now();
  const due = [...pending].filter((alarm) => alarm.clock === clock && alarm.at <= now);
  for (const { wake } of due.toSorted((a, b) => a.at - b.at)) wake();
}
