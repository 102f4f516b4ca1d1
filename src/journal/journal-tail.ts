import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DIALECT, type Dialect, HintCoalescer, Notifications, POSITIONS_TOPIC } from '../storage/index.js';
import { Periodic } from '../platform/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import type { Batch } from './batch.js';
import { type BatchListener, callListener } from './batch-listener.js';
import { CommitSubscription } from './commit-subscription.js';
import { EventBus } from './event-bus.js';
import { FEED_DELAYED_MS, JournalRepository } from './journal.repository.js';
import { RemoteReaders } from './remote-readers.js';

/** Maximum number of batches that one read of the journal returns. */
const PAGE = 500;

/**
 * Maximum number of projects by which a read of the journal selects batches. For more projects, one scan of all batches
 * costs less.
 */
const SELECTED_PROJECTS = 64;

/** Milliseconds after which a failed read of the journal is repeated. */
const RETRY_MS = 500;

/** Milliseconds between polls of the journal. A poll finds commits whose notification was lost. */
const MISSED_MS = 5_000;

/** Maximum time in milliseconds that a caller waits until the bus has published a position. */
const REACH_TIMEOUT_MS = 1_000;

/**
 * Minimum milliseconds between two notifications to other processes. Also the minimum between two reads of the journal
 * for requests that wait for an execution.
 */
const GAP_MS = 5;

/**
 * First and maximum delay before the next read of the journal, in milliseconds, while a transaction in progress holds
 * back later batches.
 */
const SETTLE_MS = { first: 2, most: 100 } as const;

/** Minimum milliseconds between two log warnings about a delayed feed. */
const WARNING_GAP_MS = 30_000;

/**
 * Publishes the committed batches of all processes on the event bus, once and in the order of positions. Reads only
 * batches of projects that have a subscriber. Requests that wait for one execution receive its events without waiting
 * for earlier batches. A process with `ROLE=worker` serves no clients and publishes nothing.
 */
@Injectable()
export class JournalTail implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(JournalTail.name);
  /** Batches that this process committed, by position, while earlier batches are unpublished. */
  private readonly own = new Map<number, Batch>();
  private readonly committed: BatchListener[] = [];
  /** Whether this process follows the journal: true from startup until the shutdown. */
  private following = false;
  private reading = false;
  private pollAgain = false;
  private settleMs: number = SETTLE_MS.first;
  private settling: NodeJS.Timeout | undefined;
  /**
   * Time on the monotonic clock, in milliseconds, since which batches wait for earlier transactions. Null if no batch
   * waits.
   */
  private behindSince: number | null = null;
  private warnedAt = Number.NEGATIVE_INFINITY;
  private readonly hints = new HintCoalescer(() => this.notifications.notify(POSITIONS_TOPIC), GAP_MS);
  private readonly commitSubscription: CommitSubscription;
  private readonly remoteReaders: RemoteReaders;
  private readonly waits = new HintCoalescer(() => this.readAwaited(false), GAP_MS);
  private readonly missed = new Periodic(
    MISSED_MS,
    () => this.pollForMissed(),
    (error) => this.logger.debug({ err: error }, 'The end of the journal could not be read; trying again.'),
  );

  constructor(
    @Inject(JournalRepository)
    private readonly repository: Pick<
      JournalRepository,
      'advanceHorizon' | 'after' | 'awaited' | 'blocking' | 'bounds' | 'renewOrder' | 'settled'
    >,
    private readonly bus: EventBus,
    @Inject(Notifications)
    private readonly notifications: Pick<Notifications, 'listen' | 'notify' | 'unlisten'>,
    @Inject(DIALECT) private readonly dialect: Dialect,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'ROLE'>,
  ) {
    this.commitSubscription = new CommitSubscription(
      notifications,
      () => bus.hasReaders,
      () => this.onNotification(),
      this.logger,
    );
    this.remoteReaders = new RemoteReaders(notifications, () => this.hints.notify());
  }

  async onModuleInit(): Promise<void> {
    if (this.dialect === 'postgres') {
      await this.renewOrder();
      await this.remoteReaders.start();
    }
    if (this.isSilent) return;
    this.bus.advance(await this.repository.settled());
    if (this.dialect === 'sqlite') return;
    this.following = true;
    this.bus.notifyOfReaders(() => this.commitSubscription.subscribe());
    this.commitSubscription.check();
    this.missed.start();
  }

  onApplicationShutdown(): Promise<void> {
    this.following = false;
    this.bus.notifyOfReaders(() => undefined);
    clearTimeout(this.settling);
    return this.missed.stop();
  }

  /**
   * Returns the position of the event bus, after waiting at most one second for the bus to reach the end of the
   * journal.
   */
  async present(): Promise<number> {
    await this.reach((await this.repository.bounds()).newest);
    return this.bus.position;
  }

  /**
   * Moves the position of the event bus to the end of the journal, unless the bus has subscribers. A later subscriber
   * then starts near the end and receives no batches from before its subscription.
   */
  async skip(): Promise<void> {
    if (this.dialect === 'sqlite' || this.bus.hasSubscribers) return;
    const settled = await this.repository.settled();
    if (!this.bus.hasSubscribers) this.bus.advance(settled);
  }

  /** Resolves when the bus has published a position, or after one second. */
  async reach(position: number): Promise<void> {
    if (this.bus.position >= position) return;
    await this.skip();
    if (this.bus.position >= position) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timeout);
        leave();
        resolve();
      };
      const timeout = setTimeout(end, REACH_TIMEOUT_MS).unref();
      const leave = this.bus.onReached(position, end);
      if (this.dialect === 'postgres') this.poll();
    });
  }

  /** Adds a listener that receives each batch that this process commits. The listener must return quickly. */
  onCommitted(listener: BatchListener): void {
    this.committed.push(listener);
  }

  /**
   * Publishes a batch that this process committed, and notifies the other processes if one has announced readers.
   * @param previous position of the last batch before the commit; null if a transaction in progress may still add an
   * earlier batch
   */
  publish(batch: Batch, previous: number | null = null): void {
    for (const listener of this.committed) callListener(listener, batch, this.logger);
    if (this.dialect === 'sqlite') {
      if (!this.isSilent) this.bus.publish(batch);
      return;
    }
    if (this.remoteReaders.exist) this.hints.notify();
    if (this.isSilent) return;
    this.bus.announce(batch, true);
    // Skip a batch if there is no subscriber, or if a read of the journal has already published the batch.
    if (!this.bus.hasSubscribers || batch.position <= this.bus.position) return;
    if (this.isNext(previous)) return this.bus.publish(batch);
    if (!this.bus.follows(batch.projectId)) return;
    this.own.set(batch.position, batch);
    this.poll();
  }

  /** Whether a commit directly follows the position of the bus, so that its batch can be published without a read. */
  private isNext(previous: number | null): boolean {
    return this.following && !this.reading && previous !== null && this.bus.position >= previous;
  }

  private get isSilent(): boolean {
    return this.settings.ROLE === 'worker';
  }

  private onNotification(): void {
    this.poll();
    // The poll publishes no batch that waits for an earlier transaction, and no batch of a project without a
    // subscriber. Requests that wait for the events of an execution may need these batches, so a separate
    // read follows.
    if (this.behindSince !== null || !this.bus.followsEveryProject) this.waits.notify();
  }

  private async pollForMissed(): Promise<void> {
    this.commitSubscription.check();
    this.poll();
    await this.readAwaited(true);
    await this.renewOrder();
  }

  private async renewOrder(): Promise<void> {
    if (await this.repository.renewOrder())
      this.logger.warn(
        'The transaction ids of this database start lower than before, for example after a restore. New events still get positions after the existing events.',
      );
  }

  /**
   * Reads the new events of executions for which requests wait, and announces them on the bus.
   * @param isLocal whether to include executions that this process runs
   */
  private async readAwaited(isLocal: boolean): Promise<void> {
    try {
      const awaited = this.bus.awaited(isLocal);
      if (awaited.length === 0) return;
      for (const batch of await this.repository.awaited(awaited)) this.bus.announce(batch, false);
    } catch (error) {
      this.logger.warn({ err: error }, 'Events of awaited executions could not be read; trying again.');
    }
  }

  private poll(): void {
    if (!this.following || !(this.bus.hasSubscribers || this.bus.isPositionAwaited)) return;
    if (this.reading) {
      this.pollAgain = true;
      return;
    }
    clearTimeout(this.settling);
    this.reading = true;
    this.pollAgain = false;
    void this.read()
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'New journal batches could not be read; trying again.');
        this.pollAfter(RETRY_MS);
      })
      .finally(() => {
        this.reading = false;
        if (this.pollAgain) this.poll();
      });
  }

  private async read(): Promise<void> {
    const before = this.bus.position;
    for (let hasAdvanced = false; ;) {
      const { projectIds, additionsOfProjects } = this.bus;
      const selected = projectIds !== null && projectIds.size <= SELECTED_PROJECTS ? [...projectIds] : null;
      const { batches, hasMore, settled, newest } = await this.repository.after(
        this.bus.position,
        PAGE,
        this.own,
        selected,
      );
      // A subscription added a project during the read. The page lacks batches of that project, so the read is
      // repeated.
      if (additionsOfProjects !== this.bus.additionsOfProjects) continue;
      for (const batch of batches) {
        this.own.delete(batch.position);
        this.bus.publish(batch);
      }
      if (hasMore) continue;
      this.bus.advance(settled);
      // A later read publishes the batches after the new position of the bus, so `own` keeps these batches.
      for (const position of this.own.keys()) if (position <= this.bus.position) this.own.delete(position);
      const isBehind = newest > this.bus.position || this.own.size > 0 || this.bus.isPositionAwaited;
      if (isBehind && !hasAdvanced) {
        // A transaction in another database on the same server may have held back batches. `advanceHorizon`
        // ignores such transactions, so another read may find more batches.
        await this.repository.advanceHorizon();
        hasAdvanced = true;
        continue;
      }
      return this.settle(isBehind, this.bus.position > before);
    }
  }

  /**
   * Schedules another read while batches wait for an earlier transaction. The end of a transaction without events sends
   * no notification.
   */
  private async settle(isBehind: boolean, hasMoved: boolean): Promise<void> {
    if (hasMoved || !isBehind) {
      this.settleMs = SETTLE_MS.first;
      this.behindSince = null;
    }
    if (!isBehind) return;
    this.pollAfter(this.settleMs);
    this.settleMs = Math.min(this.settleMs * 2, SETTLE_MS.most);
    const now = performance.now();
    this.behindSince ??= now;
    if (now - this.behindSince < FEED_DELAYED_MS || now - this.warnedAt < WARNING_GAP_MS) return;
    this.warnedAt = now;
    const blocking = await this.repository.blocking();
    this.logger.warn(
      {
        pid: blocking?.pid ?? undefined,
        prepared_transaction: blocking?.preparedTransaction ?? undefined,
        age_ms: blocking?.ageMs,
        query_start: blocking?.queryStart,
        application: blocking?.applicationName,
      },
      'A long transaction in the database delays the event feed. Executions continue. See docs/operations.md.',
    );
  }

  private pollAfter(ms: number): void {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.poll(), ms).unref();
  }
}
