import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { firstIdAt } from '../platform/index.js';
import { Writer } from '../storage/index.js';
import { sealed } from './audit-chain.js';
import { AuditSealsRepository } from './audit-seals.repository.js';

/** Delay between a new entry and its seal. */
const DELAY_MS = 1_000;
/** Interval between searches for entries of commands and of exited processes. */
const POLL_MS = 60_000;
/**
 * Milliseconds by which an unsealed entry may be older than the newest sealed one, because clocks
 * differ and commits take time.
 */
export const SEAL_OVERLAP_MS = 600_000;
const CHUNK = 200;
/**
 * An attempt fails if another process extends the chain first. More failures in a row must have
 * another cause.
 */
const MAX_ATTEMPTS = 20;

/** Thrown when another process has extended the team's chain first. */
class ChainMovedError extends Error {
  constructor() {
    super('Another process extended the hash chain of the audit log.');
  }
}

/**
 * Extends the hash chain of each team in the background, because sealing in the action's commit
 * would serialize all changes of a team. The primary key refuses duplicate seals, so no lock is
 * needed.
 */
@Injectable()
export class AuditSealer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AuditSealer.name);
  private poll: NodeJS.Timeout | undefined;
  private soon: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isOver = false;

  constructor(
    private readonly repository: AuditSealsRepository,
    private readonly writer: Writer,
  ) {}

  onApplicationBootstrap(): void {
    this.poll = setInterval(() => this.sealQuietly(), POLL_MS).unref();
    this.notice();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isOver = true;
    clearInterval(this.poll);
    clearTimeout(this.soon);
    await this.running;
  }

  /** Schedules sealing after `DELAY_MS`. Called before an entry is written. */
  notice(): void {
    if (this.isOver) return;
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      this.sealQuietly();
    }, DELAY_MS).unref();
  }

  /**
   * Resolves when every unsealed entry is sealed and committed.
   * @throws ChainMovedError if another process extended the chain first in every attempt
   */
  async seal(): Promise<void> {
    for (let attempt = 1; ; attempt += 1)
      try {
        await this.sealOnce();
        return;
      } catch (error) {
        if (!(error instanceof ChainMovedError) || attempt === MAX_ATTEMPTS) throw error;
      }
  }

  private async sealOnce(): Promise<void> {
    let after = await this.begin();
    for (;;) {
      const entries = await this.repository.unsealed(after, CHUNK);
      const last = entries.at(-1);
      if (last === undefined) return;
      for (const [teamId, ofTeam] of Map.groupBy(entries, (entry) => entry.teamId)) {
        const seals = sealed(ofTeam, await this.repository.headOf(teamId));
        const writes = seals.map((seal) => this.repository.insert(seal, () => new ChainMovedError()));
        await this.writer.commit({ writes });
      }
      if (entries.length < CHUNK) return;
      after = last.id;
    }
  }

  private async begin(): Promise<string> {
    const newest = await this.repository.newestSealedId();
    return newest === undefined ? firstIdAt(0) : firstIdAt(Math.max(0, timeOf(newest) - SEAL_OVERLAP_MS));
  }

  private sealQuietly(): void {
    this.running = this.running.then(() =>
      this.isOver
        ? undefined
        : this.seal().catch((error: unknown) => {
            // After ChainMovedError the other process seals the rest. After a database error the
            // next poll tries again.
            if (!(error instanceof ChainMovedError))
              this.logger.warn({ err: error, msg: 'Audit entries could not be sealed; trying again.' });
          }),
    );
  }
}

/** Epoch milliseconds from the timestamp of a UUID v7. */
export function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
