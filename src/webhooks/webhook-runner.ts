import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { EventBus, JournalRepository, JournalTail, type ProjectSubscription } from '../journal/index.js';
import { CLOCK, type Clock, newId, Periodic, setAlarm } from '../platform/index.js';
import { type Settings, SETTINGS } from '../settings/index.js';
import { Notifications } from '../storage/index.js';
import { type AttemptOutcome, EndpointDeliverer, LEASE_MS } from './endpoint-deliverer.js';
import { DeliveryStore } from './delivery-store.js';
import type { Webhook } from './webhook.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookLeaseLostError } from './webhooks.errors.js';

const TOPIC = 'workflow_webhooks';

/**
 * Maximum milliseconds between two sweeps of the webhooks. A sweep finds events whose notification was lost, and
 * retries that became due by a change of the clock.
 */
const MAX_SLEEP_MS = 60_000;
/** Milliseconds before another try after a database error. */
const RETRY_MS = 1_000;
/** Milliseconds after which a shutdown aborts the deliveries in progress. */
const SHUTDOWN_GRACE_MS = 3_000;
const HOUR_MS = 3_600_000;
/** Age in milliseconds at which deliveries are deleted from the log: 7 days. */
const LOG_RETENTION_MS = 7 * 24 * HOUR_MS;

/**
 * Runs an `EndpointDeliverer` for each webhook that has undelivered events and a free lease. Commits of events wake the
 * runner. A process with `ROLE=worker` delivers nothing.
 */
@Injectable()
export class WebhookRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(WebhookRunner.name);
  private readonly owner = newId();
  private readonly active = new Map<string, Webhook>();
  private readonly byProject = new Map<string, Set<string>>();
  private readonly deliverers = new Map<string, EndpointDeliverer>();
  private readonly runs = new Map<string, Promise<void>>();
  /** Ids of webhooks that may have undelivered events. */
  private readonly pending = new Set<string>();
  private readonly listeners: ((outcome: AttemptOutcome) => void)[] = [];
  private readonly logCleanup = new Periodic(
    HOUR_MS,
    () => this.store.removeLogBefore(this.clock.now() - LOG_RETENTION_MS),
    (error) => this.logger.warn({ err: error }, 'Old webhook deliveries could not be deleted; trying again.'),
  );
  private sweeping: Promise<void> | undefined;
  private isSweepDue = false;
  private isStarted = false;
  /** Number of notifications about created or changed webhooks, from this process and from others. */
  private changes = 0;
  /** Subscription to the events of the projects with active webhooks. Undefined if no webhook is active. */
  private subscription: ProjectSubscription | undefined;
  private cancelAlarm: () => void = () => undefined;

  constructor(
    private readonly store: DeliveryStore,
    private readonly sender: WebhookSender,
    private readonly journal: JournalRepository,
    private readonly bus: EventBus,
    private readonly tail: JournalTail,
    private readonly notifications: Notifications,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.ROLE === 'worker') return;
    this.isStarted = true;
    await this.notifications.listen(TOPIC, () => this.applyChange());
    this.logCleanup.start();
    this.sweep();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStarted = false;
    this.subscription?.leave();
    this.cancelAlarm();
    await this.logCleanup.stop();
    for (const deliverer of this.deliverers.values()) deliverer.stop();
    const abortTimer = setTimeout(() => {
      for (const deliverer of this.deliverers.values()) deliverer.abortDeliveries();
    }, SHUTDOWN_GRACE_MS);
    // A sweep in progress may still start a deliverer.
    await this.sweeping;
    await Promise.all(this.runs.values());
    clearTimeout(abortTimer);
  }

  /** Whether this process makes no deliveries at the moment. Retries that are not yet due do not count. */
  get isIdle(): boolean {
    return (
      this.sweeping === undefined &&
      [...this.runs.keys()].every((id) => this.deliverers.get(id)?.isIdle === true)
    );
  }

  /** Adds a listener that is called after each delivery attempt of this process. */
  onAttempt(listener: (outcome: AttemptOutcome) => void): void {
    this.listeners.push(listener);
  }

  /** Tells all processes that a webhook was created or changed. */
  changed(): void {
    this.applyChange();
    void this.notifications.notify(TOPIC);
  }

  private applyChange(): void {
    this.changes += 1;
    for (const deliverer of this.deliverers.values()) deliverer.changed();
    this.sweep();
  }

  private wakeDeliverer(id: string): void {
    const deliverer = this.deliverers.get(id);
    if (deliverer !== undefined) return deliverer.wake();
    const isNew = !this.pending.has(id);
    this.pending.add(id);
    if (isNew) this.sweep();
  }

  /**
   * Starts an `EndpointDeliverer` for every webhook that has undelivered events and a free lease. Sweeps never overlap.
   */
  private sweep(): void {
    if (!this.isStarted) return;
    this.isSweepDue = true;
    this.sweeping ??= this.sweepOnce().finally(() => {
      this.sweeping = undefined;
      if (this.isSweepDue) this.sweep();
    });
  }

  private async sweepOnce(): Promise<void> {
    this.isSweepDue = false;
    this.cancelAlarm();
    try {
      const now = this.clock.now();
      let wakeAt = Infinity;
      for (const webhook of await this.load()) {
        if (!this.isStarted) return;
        if (this.runs.has(webhook.id)) continue;
        const leaseUntil = webhook.leaseUntil === null ? 0 : Date.parse(webhook.leaseUntil);
        const dueAt = webhook.dueAt === null ? Infinity : Date.parse(webhook.dueAt);
        // An expired lease that was not released belongs to a process that ended with undelivered events.
        const isAbandoned = webhook.leaseUntil !== null && leaseUntil <= now;
        if (leaseUntil > now) wakeAt = Math.min(wakeAt, leaseUntil);
        else if (isAbandoned || dueAt <= now || this.pending.has(webhook.id)) this.start(webhook);
        else wakeAt = Math.min(wakeAt, dueAt);
      }
      this.sleep(wakeAt, MAX_SLEEP_MS);
    } catch (error) {
      this.logger.warn({ err: error }, 'Webhooks could not be read; trying again.');
      this.sleep(Infinity, RETRY_MS);
    }
  }

  private sleep(at: number, atMostMs: number): void {
    if (this.isStarted) this.cancelAlarm = setAlarm(this.clock, { at, atMostMs }, () => this.sweep());
  }

  private async load(): Promise<readonly Webhook[]> {
    const webhooks = await this.store.active();
    const known = new Map(this.active);
    this.active.clear();
    this.byProject.clear();
    for (const webhook of webhooks) {
      if (known.get(webhook.id)?.revision !== webhook.revision) this.pending.add(webhook.id);
      this.active.set(webhook.id, webhook);
      const ids = this.byProject.get(webhook.projectId) ?? new Set();
      this.byProject.set(webhook.projectId, ids.add(webhook.id));
    }
    for (const id of this.pending) if (!this.active.has(id)) this.pending.delete(id);
    await this.follow(webhooks);
    return webhooks;
  }

  /** Subscribes to the events of projects with active webhooks only, because a subscription reads the journal. */
  private async follow(active: readonly Webhook[]): Promise<void> {
    if (active.length === 0 || !this.isStarted) {
      this.subscription?.leave();
      this.subscription = undefined;
      return;
    }
    if (this.subscription === undefined) {
      await this.tail.skip();
      if (!this.isStarted) return;
      this.subscription = this.bus.subscribeToProjects(({ projectId }) => {
        for (const id of this.byProject.get(projectId) ?? []) this.wakeDeliverer(id);
      });
      // Commits before the subscription were not reported, so every active webhook may have undelivered events.
      for (const { id } of active) this.pending.add(id);
    }
    this.subscription.follow(this.byProject.keys());
  }

  private start(webhook: Webhook): void {
    const run = this.deliver(webhook)
      .catch((error: unknown) => {
        // The lease may be lost because another process took it, or because a client moved the cursor. The next sweep
        // checks whether this process may take the lease again.
        this.pending.add(webhook.id);
        if (error instanceof WebhookLeaseLostError) return undefined;
        this.logger.warn(
          { err: error, webhookId: webhook.id },
          'A webhook could not be delivered; trying again.',
        );
        return new Promise<void>((resolve) => setTimeout(resolve, RETRY_MS).unref());
      })
      .finally(() => {
        this.runs.delete(webhook.id);
        this.sweep();
      });
    this.runs.set(webhook.id, run);
  }

  private async deliver(webhook: Webhook): Promise<void> {
    const leaseUntil = this.clock.now() + LEASE_MS;
    await this.store.acquire(webhook, this.owner, leaseUntil);
    const { changes } = this;
    const [leased, retries] = await Promise.all([
      this.store.find(webhook.id),
      this.store.retries(webhook.id),
    ]);
    if (leased === undefined || leased.leaseEpoch !== webhook.leaseEpoch + 1)
      throw new WebhookLeaseLostError();
    // From now on, commits wake the deliverer of this webhook directly, so sweeps need not start another one.
    this.pending.delete(webhook.id);
    const deliverer = new EndpointDeliverer(leased, retries, leaseUntil, {
      journal: this.journal,
      sender: this.sender,
      commits: this.store,
      clock: this.clock,
      reload: () => this.store.find(webhook.id),
      findRetries: () => this.store.retries(webhook.id),
      findDelivery: (id) => this.store.findDelivery(webhook.id, id),
      onAttempt: (outcome) => {
        for (const listener of this.listeners) listener(outcome);
      },
    });
    this.deliverers.set(webhook.id, deliverer);
    // A notification during the reads above did not reach this deliverer, so it must read the row again.
    if (this.changes !== changes) deliverer.changed();
    if (!this.isStarted) deliverer.stop();
    try {
      await deliverer.run();
    } finally {
      this.deliverers.delete(webhook.id);
    }
    // The deliverer may end with unread events, for example if a commit arrives after its last read, or before it has
    // read a new due time of a retry. The next sweep must then start another deliverer.
    if (deliverer.hasUnread || deliverer.hasChanged) this.pending.add(webhook.id);
  }
}
