import type { Retry } from './delivery.js';

export class HeldExecutions {
  private readonly retries: Map<string, Retry>;
  private readonly active = new Set<string>();

  constructor(retries: readonly Retry[]) {
    this.retries = new Map(retries.map((retry) => [retry.executionId, { ...retry }]));
  }

  get size(): number {
    return this.retries.size;
  }

  /**
   * Returns the retries that may start now.
   * @param now epoch milliseconds
   * @param position journal position up to which events were read; retries of later events are not due
   */
  due(now: number, position: number): readonly Retry[] {
    return [...this.retries.values()].filter(
      (retry) =>
        Date.parse(retry.nextAttemptAt) <= now &&
        retry.position <= position &&
        !this.active.has(retry.executionId),
    );
  }

  /** Runs a retry. Until the run ends, `due` does not return the retry. */
  async run(retry: Retry, task: () => Promise<void>): Promise<void> {
    this.active.add(retry.executionId);
    try {
      await task();
    } finally {
      this.active.delete(retry.executionId);
    }
  }

  keep(retry: Retry): void {
    this.retries.set(retry.executionId, retry);
  }

  release(executionId: string): void {
    this.retries.delete(executionId);
  }

  /** Applies earlier due times of retries, which a client set by resuming the webhook or redelivering an event. */
  applyEarlierDueTimes(stored: readonly Retry[]): void {
    for (const { executionId, deliveryId, nextAttemptAt } of stored) {
      const own = this.retries.get(executionId);
      if (own?.deliveryId === deliveryId && nextAttemptAt < own.nextAttemptAt)
        this.retries.set(executionId, { ...own, nextAttemptAt });
    }
  }

  /** Time of the first retry after `now`, in epoch milliseconds; Infinity if no retry is scheduled after `now`. */
  nextAfter(now: number): number {
    const instants = [...this.retries.values()].map(({ nextAttemptAt }) => Date.parse(nextAttemptAt));
    return Math.min(...instants.filter((at) => at > now));
  }

  /** Time of the first scheduled retry (ISO 8601); null if no retry is scheduled. */
  get firstDueAt(): string | null {
    const [first] = [...this.retries.values()].map(({ nextAttemptAt }) => nextAttemptAt).toSorted();
    return first ?? null;
  }
}
