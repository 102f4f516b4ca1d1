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

/** Time between an entry and its seal. */
const DELAY_MS = 1_000;
/** Poll interval for entries whose process ended before it sealed them, and for entries of commands. */
const POLL_MS = 60_000;
/** Entries up to this much older than the newest seal are checked again: clocks and commits of processes differ. */
export const SEAL_OVERLAP_MS = 600_000;
/** Number of entries sealed per commit. */
const CHUNK = 200;
/** Retries after losing to another sealer. A chain that fails more often fails for another reason. */
const MAX_ATTEMPTS = 20;

/** Thrown when another sealer extended the chain of a team at the same time. */
class ChainMovedError extends Error {
  constructor() {
    super('Another sealer led the chain of the audit log on.');
  }
}

/**
 * Extends the hash chain of each team in the background. An entry is written in the commit of what it records and does
 * not wait for the chain: otherwise every change in a team would wait for the previous one, in all processes. If two
 * processes seal the same entry, the primary key refuses one, so no lock is needed.
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

  /** Schedules sealing because an entry is about to be written. */
  notice(): void {
    if (this.isOver) return;
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      this.sealQuietly();
    }, DELAY_MS).unref();
  }

  /**
   * Seals every unsealed entry, while other sealers may do the same. Resolves when that is durable.
   * @throws ChainMovedError when other sealers won every attempt
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
            // The other process seals the rest. If the database is unavailable, the next poll tries again.
            if (!(error instanceof ChainMovedError))
              this.logger.warn({ err: error, msg: 'Audit entries were not sealed; trying again.' });
          }),
    );
  }
}

/** Epoch milliseconds at which an id (UUID v7) was made. */
export function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
