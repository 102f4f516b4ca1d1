import type { Clock } from './clock.js';

/** Longest delay of a Node.js timer in milliseconds, about 24.8 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Alarm {
  /** Epoch milliseconds at which the alarm fires; infinity if only `atMostMs` limits the alarm. */
  readonly at: number;
  /**
   * Maximum delay of the alarm in milliseconds. The alarm then fires even if the clock has not reached `at`, because
   * the clock may have been changed meanwhile.
   */
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
 * Calls `wake` once when the clock reaches the time of the alarm. An alarm in more than 24.8 days fires early, after
 * 24.8 days.
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

/** Returns the epoch milliseconds of a clock's earliest alarm; null if the clock has no alarm. */
export function nextAlarmAt(clock: Clock): number | null {
  let next: number | null = null;
  for (const alarm of pending)
    if (alarm.clock === clock && (next === null || alarm.at < next)) next = alarm.at;
  return next;
}

/** Fires the due alarms of a clock in the order of their times. Must be called after the clock was set. */
export function wakeDue(clock: Clock): void {
  const now = clock.now();
  const due = [...pending].filter((alarm) => alarm.clock === clock && alarm.at <= now);
  for (const { wake } of due.toSorted((a, b) => a.at - b.at)) wake();
}
