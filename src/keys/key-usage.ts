import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { CLOCK, type Clock, isoTime, Periodic } from '../platform/index.js';
import { Writer } from '../storage/index.js';
import { KeysRepository } from './keys.repository.js';

export interface KeyUse {
  readonly at: number;
  readonly address: string;
}

interface Noted {
  at: number;
  address: string;
  written: boolean;
  /** Time of the last database write, in epoch milliseconds; negative infinity before the first write. */
  writtenAt: number;
}

/** Interval in milliseconds at which key uses that are due are written to the database. */
const FLUSH_INTERVAL_MS = 5_000;
/** Minimum time in milliseconds between two database writes of the last use of one key. */
const WRITE_INTERVAL_MS = 60_000;
/** Maximum number of keys whose last use is written in one commit. */
const CHUNK = 200;

/**
 * Records when and from where API keys are used. The last use of a key is written at most once a minute, so that most
 * requests cause no database write.
 */
@Injectable()
export class KeyUsage implements BeforeApplicationShutdown {
  private readonly logger = new Logger(KeyUsage.name);
  private readonly notes = new Map<string, Noted>();
  private readonly timer = new Periodic(
    FLUSH_INTERVAL_MS,
    () => this.flush(),
    (error) => this.logFailure(error),
  );

  constructor(
    private readonly repository: KeysRepository,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  record(keyId: string, address: string): void {
    const note = this.notes.get(keyId);
    const at = this.clock.now();
    if (note === undefined)
      this.notes.set(keyId, { at, address, written: false, writtenAt: Number.NEGATIVE_INFINITY });
    else {
      note.at = at;
      note.address = address;
      note.written = false;
    }
    this.timer.start();
  }

  /** Returns the last use of a key in this process. It may be newer than the use in the database. */
  latest(keyId: string): KeyUse | undefined {
    return this.notes.get(keyId);
  }

  /**
   * Writes the last use of each key whose previous write is at least a minute old.
   *
   * @param all true to write all unwritten uses, regardless of the previous write
   */
  async flush(all = false): Promise<void> {
    const now = this.clock.now();
    const due: [string, Noted][] = [];
    for (const [keyId, note] of this.notes) {
      const rested = now - note.writtenAt >= WRITE_INTERVAL_MS;
      if (!note.written && (all || rested)) due.push([keyId, note]);
      else if (rested) this.notes.delete(keyId);
    }
    for (let start = 0; start < due.length; start += CHUNK)
      await this.write(due.slice(start, start + CHUNK), now);
    if (this.notes.size === 0) void this.timer.stop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.timer.stop();
    await this.flush(true).catch((error: unknown) => this.logFailure(error));
  }

  private async write(due: readonly (readonly [string, Noted])[], now: number): Promise<void> {
    // `written` becomes true before the commit, not after it. If the key is used during the commit, `written` becomes
    // false again, so a later flush stores this use, too.
    for (const [, note] of due) note.written = true;
    try {
      await this.writer.commit({
        writes: due.map(([keyId, { at, address }]) => this.repository.markUsed(keyId, isoTime(at), address)),
      });
      for (const [, note] of due) note.writtenAt = now;
    } catch (error) {
      for (const [, note] of due) note.written = false;
      throw error;
    }
  }

  private logFailure(error: unknown): void {
    this.logger.warn({ err: error }, 'The last use of API keys could not be stored; trying again.');
  }
}
