import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { firstIdAt } from '../platform/index.js';
import { Writer } from '../storage/index.js';
import { sealed } from './audit-chain.js';
import type { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditSealsRepository } from './audit-seals.repository.js';

/**
 * Milliseconds between a new audit entry and its seal. The seal adds the entry to the hash chain of its team.
 */
const DELAY_MS = 1_000;
/**
 * Interval in milliseconds between searches for unsealed audit entries, which are not in the hash chain of their team
 * yet. A search finds the entries of commands of the command line, and of processes that exited before they sealed
 * their entries.
 */
const POLL_MS = 60_000;
/**
 * Maximum time in milliseconds by which an entry may be older than the newest sealed entry and still be
 * sealed, that is, added to the hash chain. Such an entry is normal, because clocks differ and commits take
 * time. Verification reports an older unsealed entry as inserted.
 */
export const SEAL_OVERLAP_MS = 600_000;
const CHUNK = 200;
/**
 * Maximum number of attempts to seal all entries. An attempt fails if another process extends a hash chain
 * first. 20 failures in a row must have another cause, so the error is thrown.
 */
const MAX_ATTEMPTS = 20;

/** Thrown when another process has extended the hash chain of the team first. */
class ChainMovedError extends Error {
  constructor() {
    super('Another process extended the hash chain of the audit log at the same time.');
  }
}

/**
 * Extends the hash chain of each team in the background. Sealing an entry in the commit of its action would serialize
 * all changes of a team. The primary key refuses duplicate seals, so processes need no lock.
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
    this.sealSoon();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isOver = true;
    clearInterval(this.poll);
    clearTimeout(this.soon);
    await this.running;
  }

  /**
   * Schedules a sealing in one second. The caller has not written the new audit entry yet, but the entry is
   * normally committed by then.
   */
  sealSoon(): void {
    if (this.isOver) return;
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      this.sealQuietly();
    }, DELAY_MS).unref();
  }

  /**
   * Seals all unsealed audit entries. Resolves after the commit.
   * @throws ChainMovedError if another process extended a hash chain first in each of 20 attempts
   */
  async seal(): Promise<void> {
    for (let attempt = 1; !(await this.sealOnce()); attempt += 1)
      if (attempt === MAX_ATTEMPTS) throw new ChainMovedError();
  }

  /**
   * Tries once to seal the entries of each team. If another process extends the hash chain of a team first, continues
   * with the next team. Otherwise two processes would collide again at each team.
   * @returns false if another process extended a chain first, so that entries may be unsealed
   */
  private async sealOnce(): Promise<boolean> {
    let after = await this.begin();
    let isComplete = true;
    for (;;) {
      const entries = await this.repository.unsealed(after, CHUNK);
      const last = entries.at(-1);
      if (last === undefined) return isComplete;
      for (const [teamId, ofTeam] of Map.groupBy(entries, (entry) => entry.teamId))
        if (!(await this.extend(teamId, ofTeam))) isComplete = false;
      if (entries.length < CHUNK) return isComplete;
      after = last.id;
    }
  }

  /** Adds entries to the hash chain of a team. @returns false if another process extended the chain first */
  private async extend(teamId: string, entries: readonly AuditEntryEntity[]): Promise<boolean> {
    const seals = sealed(entries, await this.repository.headOf(teamId));
    try {
      await this.writer.commit({
        writes: seals.map((seal) => this.repository.insert(seal, () => new ChainMovedError())),
      });
      return true;
    } catch (error) {
      if (error instanceof ChainMovedError) return false;
      throw error;
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
            // Errors are not thrown. After a ChainMovedError, another process seals the remaining entries. After a
            // database error, the next poll seals them.
            if (!(error instanceof ChainMovedError))
              this.logger.warn({ err: error, msg: 'Audit entries could not be sealed; trying again.' });
          }),
    );
  }
}

/** Returns the timestamp of a UUID v7, in epoch milliseconds. */
export function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
