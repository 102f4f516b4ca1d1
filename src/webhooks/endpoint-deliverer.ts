import type { Batch, JournalRepository } from '../journal/index.js';
import { type Clock, isoTime, newId } from '../platform/index.js';
import type { Delivery, DeliveryAttempt, Retry } from './delivery.js';
import { DeliveryOutcome } from './delivery-outcome.js';
import type { DeliveryStore } from './delivery-store.js';
import { DeliveryWindow, type PendingEvent } from './delivery-window.js';
import { ExecutionTraces } from './execution-traces.js';
import { EventSelection } from './event-selection.js';
import { failureDecision } from './retry-schedule.js';
import { HeldExecutions } from './held-executions.js';
import { receivedEnvelope, receivedText } from './stored-events.js';
import { Wakeup } from './wakeup.js';
import { isSkipped, type Webhook } from './webhook.js';
import type { WebhookSender } from './webhook-sender.js';

/** Maximum number of deliveries of one webhook that run at the same time. */
const CONCURRENCY = 4;
/** Maximum number of batches per read of the journal. */
const PAGE_SIZE = 200;
/** Maximum number of batches per read of the journal during a retry. */
const RETRY_PAGE_SIZE = 8;
/** Maximum number of undelivered events in memory. At this number, the deliverer stops reading the journal. */
const MAX_WINDOW = 1_000;
/** Maximum number of executions with a scheduled retry. At this number, the deliverer stops reading the journal. */
const MAX_HELD_EXECUTIONS = 1_000;
/**
 * Duration of a webhook's lease, in milliseconds. If the process that holds the lease crashes, the webhook's deliveries
 * pause until the lease expires.
 */
export const LEASE_MS = 20_000;
const LEASE_RENEWAL_MS = 5_000;
/** Milliseconds for which a deliverer without events keeps its lease, to save commits that take the lease again. */
const IDLE_LEASE_MS = 1_000;

export type AttemptOutcome = 'delivered' | 'retrying' | 'failed';

export interface DelivererPorts {
  readonly journal: Pick<JournalRepository, 'feed' | 'ofExecution'>;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly commits: Pick<DeliveryStore, 'commit'>;
  readonly clock: Clock;
  readonly reload: () => Promise<Webhook | undefined>;
  readonly findRetries: () => Promise<readonly Retry[]>;
  readonly findDelivery: (id: string) => Promise<Delivery | undefined>;
  readonly onAttempt: (outcome: AttemptOutcome) => void;
}

/** Delivers the events of one webhook while this process holds the webhook's lease. */
export class EndpointDeliverer {
  private readonly wakeup = new Wakeup();
  private readonly window: DeliveryWindow;
  private readonly held: HeldExecutions;
  private readonly tasks = new Set<Promise<void>>();
  private readonly abort = new AbortController();
  private readonly traces: ExecutionTraces;
  private outcome = new DeliveryOutcome();
  private selection: EventSelection;
  private failingSince: number | null;
  private storedCursor: number;
  private committedAt: number;
  private committing: Promise<void> | undefined;
  private fault: unknown;
  private hasMore = true;
  private isChanged = false;
  private isStopping = false;
  private isWaiting = false;

  /** @param webhook the webhook's row after the lease was taken */
  constructor(
    private webhook: Webhook,
    retries: readonly Retry[],
    private leaseUntil: number,
    private readonly ports: DelivererPorts,
  ) {
    this.traces = new ExecutionTraces(ports.journal);
    this.window = new DeliveryWindow(webhook.cursorPosition);
    this.held = new HeldExecutions(retries);
    for (const { executionId, position } of retries) this.window.hold(executionId, position);
    this.selection = new EventSelection(webhook);
    this.failingSince = webhook.failingSince === null ? null : Date.parse(webhook.failingSince);
    this.storedCursor = webhook.cursorPosition;
    this.committedAt = ports.clock.now();
  }

  /** Whether the journal may contain unread events, and fewer than 1,000 executions wait for a retry. */
  get hasUnread(): boolean {
    return this.hasMore && this.held.size < MAX_HELD_EXECUTIONS;
  }

  /** Whether the row of the webhook may have changed since its last read. */
  get hasChanged(): boolean {
    return this.isChanged;
  }

  /** Whether no delivery is in progress and no delivery is due. Retries that are not yet due do not count. */
  get isIdle(): boolean {
    return (
      this.isWaiting &&
      !this.isChanged &&
      !this.hasUnread &&
      this.outcome.isEmpty &&
      this.tasks.size === 0 &&
      this.window.size === 0 &&
      this.committing === undefined &&
      this.dueNow().length === 0
    );
  }

  /** Tells the deliverer that the journal may contain new events. */
  wake(): void {
    this.hasMore = true;
    this.wakeup.notify();
  }

  /** Tells the deliverer that the row of its webhook may have changed. */
  changed(): void {
    this.isChanged = true;
    this.wakeup.notify();
  }

  /** Starts no further deliveries. `run` resolves when the deliveries in progress have ended. */
  stop(): void {
    this.isStopping = true;
    this.wakeup.notify();
  }

  /** Aborts the deliveries in progress. The next process that takes the lease repeats these deliveries. */
  abortDeliveries(): void {
    this.abort.abort();
    this.stop();
  }

  /**
   * Delivers events until no delivery is due or in progress, and then releases the lease.
   * @throws WebhookLeaseLostError if another process took the lease
   * @throws errors of the database
   */
  async run(): Promise<void> {
    for (let isIdle = false; !isIdle && !this.isStopping;) {
      if (this.isChanged) await this.refresh();
      await this.read();
      this.startTasks();
      this.commitIfDue();
      const at = this.held.nextAfter(this.ports.clock.now());
      const atMostMs = this.tasks.size > 0 ? LEASE_RENEWAL_MS : IDLE_LEASE_MS;
      this.isWaiting = true;
      const wasWoken = await this.wakeup.wait(this.ports.clock, { at, atMostMs });
      this.isWaiting = false;
      if (this.fault !== undefined) return this.fail();
      isIdle =
        !wasWoken && this.tasks.size === 0 && this.committing === undefined && this.dueNow().length === 0;
    }
    await Promise.all(this.tasks);
    await this.committing;
    if (this.fault === undefined) await this.commit(null);
    if (this.fault !== undefined) return this.fail();
  }

  /** Aborts the deliveries in progress, so that none of them overlaps with those of the next deliverer. */
  private async fail(): Promise<never> {
    this.abort.abort();
    await Promise.all(this.tasks);
    throw this.fault;
  }

  private async refresh(): Promise<void> {
    this.isChanged = false;
    const next = await this.ports.reload();
    if (next?.status !== 'active' || next.leaseEpoch !== this.webhook.leaseEpoch) return this.stop();
    this.webhook = next;
    this.selection = new EventSelection(next);
    this.held.applyEarlierDueTimes(await this.ports.findRetries());
  }

  private async read(): Promise<void> {
    if (!this.hasMore || this.window.size >= MAX_WINDOW || this.held.size >= MAX_HELD_EXECUTIONS) return;
    this.hasMore = false;
    const { batches, hasMore } = await this.ports.journal.feed(
      { projectIds: [this.webhook.projectId] },
      { position: this.window.position, index: null },
      PAGE_SIZE,
    );
    for (const batch of batches) {
      this.traces.learn(batch);
      this.window.accept(batch, this.selected(batch));
    }
    if (hasMore) this.wake();
  }

  /** Returns the indexes of the events in a batch that the webhook selects. */
  private selected(batch: Batch): readonly number[] {
    if (isSkipped(this.webhook.skipped, batch.position)) return [];
    return [...batch.events.keys()].filter((index) => {
      const type = batch.events[index]?.type ?? '';
      return (
        this.selection.mayAccept(batch.workflowId, type) &&
        this.selection.passes(receivedEnvelope(batch, index))
      );
    });
  }

  private startTasks(): void {
    if (!this.maySend) return;
    for (const retry of this.dueNow()) {
      if (this.tasks.size >= CONCURRENCY) return;
      this.start(() => this.held.run(retry, () => this.resume(retry)));
    }
    while (this.tasks.size < CONCURRENCY) {
      const event = this.window.take();
      if (event === undefined) return;
      this.start(() => this.deliver(event));
    }
  }

  /**
   * Whether a delivery may start. After the lease has expired, none may, because another process may deliver the same
   * events.
   */
  private get maySend(): boolean {
    return !this.isStopping && this.fault === undefined && this.ports.clock.now() < this.leaseUntil;
  }

  private start(task: () => Promise<void>): void {
    const running = task()
      .catch((error: unknown) => {
        this.fault ??= error;
      })
      .finally(() => {
        this.tasks.delete(running);
        this.wakeup.notify();
      });
    this.tasks.add(running);
  }

  private dueNow(): readonly Retry[] {
    return this.held.due(this.ports.clock.now(), this.window.position);
  }

  private async deliver(event: PendingEvent): Promise<void> {
    const { batch, index } = event;
    const attempt = await this.send(batch, index);
    if (attempt === undefined) return;
    const delivery = this.newDelivery(batch, index, attempt);
    if (attempt.error === null) {
      this.window.settle(event);
      this.record(delivery, true);
      return;
    }
    this.window.hold(batch.executionId);
    this.handleFailure(delivery, batch, index, 1, true);
  }

  /**
   * Sends the failed event again, then all later events of the execution, until one fails or none is left. Ends early if
   * no delivery may start. The next deliverer then continues from the stored retry.
   */
  private async resume(retry: Retry): Promise<void> {
    const { executionId } = retry;
    let { afterSequence, attempts } = retry;
    for (;;) {
      const upTo = Math.max(this.window.position, retry.position);
      const { batches, hasMore } = await this.ports.journal.ofExecution(
        executionId,
        afterSequence,
        RETRY_PAGE_SIZE,
      );
      const reached = batches.filter(({ position }) => position <= upTo);
      for (const batch of reached)
        for (const index of this.selected(batch)) {
          const sequence = batch.firstSequence + index;
          if (sequence <= afterSequence) continue;
          if (!this.maySend) return;
          const attempt = await this.send(batch, index);
          if (attempt === undefined) return;
          const known = attempts === 0 ? undefined : await this.deliveryOf(retry);
          const isRetried = known?.eventId === receivedEnvelope(batch, index).id;
          const delivery = isRetried ? withAttempt(known, attempt) : this.newDelivery(batch, index, attempt);
          if (known !== undefined && !isRetried) this.abandon(known);
          const failures = isRetried ? attempts + 1 : 1;
          if (attempt.error === null) this.record(delivery, !isRetried);
          else if (!this.handleFailure(delivery, batch, index, failures, !isRetried)) return;
          attempts = 0;
          afterSequence = sequence;
          this.keepRetry({ ...retry, afterSequence, attempts });
        }
      const last = reached.at(-1);
      if (last !== undefined)
        afterSequence = Math.max(afterSequence, last.firstSequence + last.events.length - 1);
      if ((reached.length < batches.length || !hasMore) && this.window.release(executionId, upTo)) break;
    }
    if (attempts > 0) {
      // The retry did not find the failed event: retention deleted the event, or the webhook no longer selects it.
      const known = await this.deliveryOf(retry);
      if (known !== undefined) this.abandon(known);
    }
    this.held.release(executionId);
    this.outcome.retries.set(executionId, null);
  }

  private async deliveryOf({ deliveryId }: Retry): Promise<Delivery | undefined> {
    await this.committing;
    return (
      this.outcome.inserted.get(deliveryId) ??
      this.outcome.updated.get(deliveryId) ??
      (await this.ports.findDelivery(deliveryId))
    );
  }

  private async send(batch: Batch, index: number): Promise<DeliveryAttempt | undefined> {
    const event = {
      envelope: receivedEnvelope(batch, index),
      text: receivedText(batch, index),
      trace: await this.traces.headersOf(batch.executionId),
    };
    const attempt = await this.ports.sender.send(this.webhook, event, this.abort.signal);
    if (this.abort.signal.aborted) return undefined;
    if (attempt.error === null) this.failingSince = null;
    return attempt;
  }

  private newDelivery(batch: Batch, index: number, attempt: DeliveryAttempt): Delivery {
    const { id: eventId, type: eventType, sequence } = receivedEnvelope(batch, index);
    const now = isoTime(this.ports.clock.now());
    return {
      id: newId(),
      webhookId: this.webhook.id,
      ...{ eventId, eventType, executionId: batch.executionId, sequence },
      status: attempt.error === null ? 'delivered' : 'retrying',
      attempts: [attempt],
      nextAttemptAt: null,
      ...{ createdAt: now, updatedAt: now },
    };
  }

  /** @returns true if the event is given up, so that the next event of its execution is due */
  private handleFailure(
    delivery: Delivery,
    batch: Batch,
    index: number,
    attempts: number,
    isNew: boolean,
  ): boolean {
    const now = this.ports.clock.now();
    const { failingSince } = this;
    this.failingSince ??= now;
    const statusCode = delivery.attempts.at(-1)?.statusCode ?? null;
    const decision = failureDecision({ now, attempts, statusCode, failingSince });
    if (decision.kind === 'give_up') {
      this.record({ ...delivery, status: 'failed', nextAttemptAt: null }, isNew);
      return true;
    }
    const nextAttemptAt = isoTime(decision.kind === 'retry' ? decision.at : now);
    this.record({ ...delivery, status: 'retrying', nextAttemptAt }, isNew);
    this.keepRetry({
      webhookId: this.webhook.id,
      executionId: batch.executionId,
      afterSequence: batch.firstSequence + index - 1,
      position: batch.position,
      deliveryId: delivery.id,
      attempts,
      nextAttemptAt,
    });
    if (decision.kind === 'disable') {
      this.outcome.disabledReason = decision.reason;
      this.stop();
    }
    return false;
  }

  private keepRetry(retry: Retry): void {
    this.held.keep(retry);
    this.outcome.retries.set(retry.executionId, retry);
  }

  private record(delivery: Delivery, isNew: boolean): void {
    if (isNew) this.outcome.insert(delivery);
    else this.outcome.update(delivery);
    this.outcome.count(delivery);
    this.ports.onAttempt(delivery.status);
  }

  private abandon(delivery: Delivery): void {
    this.record(
      { ...delivery, status: 'failed', nextAttemptAt: null, updatedAt: isoTime(this.ports.clock.now()) },
      false,
    );
  }

  private commitIfDue(): void {
    if (this.committing !== undefined) return;
    const age = this.ports.clock.now() - this.committedAt;
    const isCursorDue = this.window.watermark > this.storedCursor && age >= IDLE_LEASE_MS;
    if (this.outcome.isEmpty && !isCursorDue && age < LEASE_RENEWAL_MS) return;
    this.committing = this.commit(this.ports.clock.now() + LEASE_MS).finally(() => {
      this.committing = undefined;
      this.wakeup.notify();
    });
  }

  /** @param leaseUntil epoch milliseconds; null releases the lease */
  private async commit(leaseUntil: number | null): Promise<void> {
    const { outcome, window } = this;
    this.outcome = new DeliveryOutcome();
    const cursorPosition = window.watermark;
    const skipped =
      this.held.size > 0
        ? this.webhook.skipped
        : this.webhook.skipped.filter(({ to }) => to > cursorPosition);
    try {
      await this.ports.commits.commit(this.webhook, outcome, {
        cursorPosition,
        failingSince: this.failingSince === null ? null : isoTime(this.failingSince),
        skipped,
        leaseUntil: leaseUntil === null ? null : isoTime(leaseUntil),
        dueAt: leaseUntil === null ? this.held.firstDueAt : null,
      });
      this.storedCursor = cursorPosition;
      this.committedAt = this.ports.clock.now();
      this.leaseUntil = leaseUntil ?? 0;
    } catch (error) {
      this.fault ??= error;
      this.wakeup.notify();
    }
  }
}

function withAttempt(delivery: Delivery, attempt: DeliveryAttempt): Delivery {
  return {
    ...delivery,
    attempts: [...delivery.attempts, attempt],
    status: attempt.error === null ? 'delivered' : 'retrying',
    nextAttemptAt: null,
    updatedAt: attempt.at,
  };
}
