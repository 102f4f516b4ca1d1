import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Periodic, systemClock } from '../platform/index.js';
import { DIALECT, type Dialect, Notifications } from '../storage/index.js';
import { TestClockRepository } from './test-clock.repository.js';

const TOPIC = 'workflow_test_clock';

/** Milliseconds between two reads of the stored offset by each process, in case a notification was lost. */
export const POLL_MS = 200;

/** Keeps the clock of this process at the offset that is stored in the database for all processes. */
@Injectable()
export class SharedOffset implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(SharedOffset.name);
  private readonly poll = new Periodic(
    POLL_MS,
    () => this.read(),
    (error) => this.logger.debug({ err: error }, 'The offset of the test clock could not be read.'),
  );
  private offsetMs = 0;

  constructor(
    private readonly repository: TestClockRepository,
    private readonly notices: Notifications,
    @Inject(DIALECT) private readonly dialect: Dialect,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.read();
    if (this.offsetMs > 0)
      this.logger.warn(`The test clock is ${this.offsetMs / 1_000} s ahead of real time.`);
    if (this.dialect === 'sqlite') return;
    const changed = (): void => void this.read().catch(() => undefined);
    await this.notices.listen(TOPIC, changed);
    this.poll.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.poll.stop();
  }

  async read(): Promise<void> {
    this.apply(await this.repository.offset());
  }

  /**
   * Moves the clocks of all processes forward. The new offset is stored when the promise resolves.
   *
   * @param at time of the moved clock in epoch milliseconds
   */
  async moveTo(at: number): Promise<void> {
    const offsetMs = at - systemClock.real();
    await this.repository.raise(offsetMs);
    this.apply(offsetMs);
    await this.notices.notify(TOPIC);
  }

  private apply(offsetMs: number): void {
    if (offsetMs <= this.offsetMs) return;
    this.offsetMs = offsetMs;
    systemClock.setOffset(offsetMs);
  }
}
