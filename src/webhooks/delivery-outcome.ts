import type { Delivery, Retry } from './delivery.js';

export class DeliveryOutcome {
  readonly inserted = new Map<string, Delivery>();
  readonly updated = new Map<string, Delivery>();
  /** Retries to store, by execution id. A null value deletes the retry of the execution. */
  readonly retries = new Map<string, Retry | null>();
  delivered = 0;
  failed = 0;
  disabledReason: string | null = null;

  get isEmpty(): boolean {
    return this.inserted.size + this.updated.size + this.retries.size === 0 && this.disabledReason === null;
  }

  count(delivery: Delivery): void {
    if (delivery.status === 'delivered') this.delivered += 1;
    else if (delivery.status === 'failed') this.failed += 1;
  }

  insert(delivery: Delivery): void {
    this.inserted.set(delivery.id, delivery);
  }

  update(delivery: Delivery): void {
    const target = this.inserted.has(delivery.id) ? this.inserted : this.updated;
    target.set(delivery.id, delivery);
  }
}
