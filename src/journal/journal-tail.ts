import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DIALECT, type Dialect, Notifications, POSITIONS_TOPIC } from '../storage/index.js';
import { Periodic } from '../platform/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import type { Batch } from './batch.js';
import { EventBus } from './event-bus.js';
import { JournalRepository } from './journal.repository.js';

/** Maximum number of batches per journal read. */
const PAGE = 500;

/** Delay in milliseconds before retrying a failed read. */
const RETRY_MS = 500;

/**
 * Poll interval for missed notifications: a local commit whose reply was lost, or a remote one while LISTEN was down.
 */
const MISSED_MS = 5_000;

/** Maximum time that a reader waits for the bus, in milliseconds. */
const PATIENCE_MS = 1_000;

/**
 * Feeds the bus: every batch of any process once, in position order. A commit of this process is not read back, unless
 * a commit of another process precedes it. Workers serve no clients: there the bus stays silent and the journal is not
 * read.
 */
@Injectable()
export class JournalTail implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(JournalTail.name);
  /** Own batches that batches of other processes may precede, by position. */
  private readonly own = new Map<number, Batch>();
  private readonly committed: ((batch: Batch) => void)[] = [];
  /** True from the first read on. */
  private following = false;
  private reading = false;
  private lookAgain = false;
  private readonly missed = new Periodic(
    MISSED_MS,
    () => this.lookForMissed(),
    (error) => this.logger.debug({ err: error }, 'The end of the journal could not be read; trying again.'),
  );

  constructor(
    @Inject(JournalRepository) private readonly repository: Pick<JournalRepository, 'after' | 'bounds'>,
    private readonly bus: EventBus,
    @Inject(Notifications) private readonly notices: Pick<Notifications, 'listen'>,
    @Inject(DIALECT) private readonly dialect: Dialect,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'ROLE'>,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.isSilent) return;
    if (this.dialect === 'postgres') await this.notices.listen(POSITIONS_TOPIC, () => this.look());
    const { newest } = await this.repository.bounds();
    this.bus.begin(newest);
    if (this.dialect === 'sqlite') return;
    this.following = true;
    this.look();
    this.missed.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.missed.stop();
  }

  /** Resolves once the bus has published everything up to a committed position, or after one second. */
  async reach(position: number): Promise<void> {
    if (this.bus.position >= position) return;
    if (this.dialect === 'postgres') this.look();
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(patience);
        leave();
        resolve();
      };
      const patience = setTimeout(end, PATIENCE_MS).unref();
      const leave = this.bus.subscribe((batch) => {
        if (batch.position >= position) end();
      });
    });
  }

  /** Calls a listener with each batch that this process itself commits, in every role. It must be quick. */
  onCommitted(listener: (batch: Batch) => void): void {
    this.committed.push(listener);
  }

  /** Publishes a batch committed by this process. Must be called in commit order. */
  publish(batch: Batch): void {
    for (const listener of this.committed) listener(batch);
    if (this.isSilent) return;
    if (this.dialect === 'sqlite') return this.bus.publish(batch);
    if (this.isNext(batch)) return this.bus.publish(batch);
    this.own.set(batch.position, batch);
    this.look();
  }

  /** Whether no other batch can lie between this one and the bus position. */
  private isNext({ position }: Batch): boolean {
    return this.following && !this.reading && position === this.bus.position + 1;
  }

  private get isSilent(): boolean {
    return this.settings.ROLE === 'worker';
  }

  private async lookForMissed(): Promise<void> {
    const { newest } = await this.repository.bounds();
    if (newest > this.bus.position) this.look();
  }

  private look(): void {
    if (!this.following) return;
    if (this.reading) {
      this.lookAgain = true;
      return;
    }
    this.reading = true;
    this.lookAgain = false;
    void this.read()
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'The journal could not be followed; trying again.');
        setTimeout(() => this.look(), RETRY_MS).unref();
      })
      .finally(() => {
        this.reading = false;
        if (this.lookAgain) this.look();
      });
  }

  private async read(): Promise<void> {
    for (;;) {
      const { batches, hasMore } = await this.repository.after(this.bus.position, PAGE, this.own);
      for (const batch of batches) {
        this.own.delete(batch.position);
        this.bus.publish(batch);
      }
      if (!hasMore) break;
    }
    // Committed during the last page read: the next read publishes them.
    for (const position of this.own.keys()) {
      if (position <= this.bus.position) this.own.delete(position);
      else this.lookAgain = true;
    }
  }
}
