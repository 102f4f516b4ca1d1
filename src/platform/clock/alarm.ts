import type { Clock } from './clock.js';

/** Longest delay that a timer of the runtime takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What is due at an instant of a clock. */
export interface Alarm {
  /** Epoch milliseconds; infinite if only `atMostMs` counts. */
  readonly at: number;
  /** Real milliseconds after which it wakes in any case: a clock may be set, and a notification lost. */
  readonly atMostMs?: number;
  /** Whether the process stays alive for it. Default false. */
  readonly keepsAlive?: boolean;
}

interface PendingAlarm {
  readonly clock: Clock;
  readonly at: number;
  readonly wake: () => void;
}

const pending = new Set<PendingAlarm>();

/**
 * Calls `wake` once when the clock reaches an instant. A clock that is set past the instant wakes it at once.
 * @returns cancels it
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

/** Epoch milliseconds of the earliest alarm of a clock in this process; null if there is none. */
export function nextAlarmAt(clock: Clock): number | null {
  let next: number | null = null;
  for (const alarm of pending)
    if (alarm.clock === clock && (next === null || alarm.at < next)) next = alarm.at;
  return next;
}

/** Wakes the alarms of a clock that are due, the earliest first. To be called when the clock was set. */
export function wakeDue(clock: Clock): void {
  const now = clock.now();
  const due = [...pending].filter((alarm) => alarm.clock === clock && alarm.at <= now);
  for (const { wake } of due.toSorted((a, b) => a.at - b.at)) wake();
}
