import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { CLOCK, type Clock, isoTime, Writer } from '../platform/index.js';
import { KeysRepository } from './keys.repository.js';

/** When and from where a key was last used. */
export interface KeyUse {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly address: string;
}

interface Noted {
  at: number;
  address: string;
  /** When it was last written; never, where it is negative infinity. */
  writtenAt: number;
}

/** How often notes are looked through for what is due. */
const FLUSH_INTERVAL_MS = 5_000;
/** How rarely the use of one key is written. */
const WRITE_INTERVAL_MS = 60_000;
/** Notes written in one commit. */
const CHUNK = 200;

/** Remembers when keys were used, and writes it down at most once a minute a key: no write per request. */
@Injectable()
export class KeyUsage implements BeforeApplicationShutdown {
  private readonly logger = new Logger(KeyUsage.name);
  private readonly notes = new Map<string, Noted>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: KeysRepository,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  record(keyId: string, address: string): void {
    const note = this.notes.get(keyId);
    if (note === undefined) this.notes.set(keyId, { at: this.clock.now(), address, writtenAt: Number.NEGATIVE_INFINITY });
    else {
      note.at = this.clock.now();
      note.address = address;
    }
    this.timer ??= setInterval(() => void this.flushQuietly(), FLUSH_INTERVAL_MS).unref();
  }

  /** The last use that this process knows of; newer than the database's where it is not written yet. */
  latest(keyId: string): KeyUse | undefined {
    return this.notes.get(keyId);
  }

  /** Writes what is due: uses not written yet of keys not written for a minute. With `all`, every one. */
  async flush(all = false): Promise<void> {
    const now = this.clock.now();
    const due: [string, Noted][] = [];
    for (const [keyId, note] of this.notes) {
      const idle = now - note.writtenAt;
      if (note.at > note.writtenAt && (all || idle >= WRITE_INTERVAL_MS)) due.push([keyId, note]);
      else if (idle >= WRITE_INTERVAL_MS) this.notes.delete(keyId);
    }
    for (let start = 0; start < due.length; start += CHUNK) {
      const chunk = due.slice(start, start + CHUNK);
      await this.writer.commit({
        writes: chunk.map(([keyId, { at, address }]) => this.repository.markUsed(keyId, isoTime(at), address)),
      });
      for (const [, note] of chunk) note.writtenAt = now;
    }
    if (this.notes.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flushQuietly(true);
  }

  private async flushQuietly(all = false): Promise<void> {
    try {
      await this.flush(all);
    } catch (error) {
      this.logger.warn({ err: error }, 'The last use of API keys could not be noted; trying again.');
    }
  }
}
