import { Inject, Injectable } from '@nestjs/common';
import type { JournalEvent } from '../execution-events/index.js';
import { newId } from '../platform/index.js';
import { type Write, Writer } from '../storage/index.js';
import type { JournalScope } from './batch.js';
import type { EventBus } from './event-bus.js';
import { JournalTail } from './journal-tail.js';
import { JournalFullError } from './journal.errors.js';
import { JournalRepository } from './journal.repository.js';

/** One addition to an execution's journal. */
export interface Append {
  readonly scope: JournalScope;
  /** Sequence of the last event that the writer knows of. */
  readonly after: number;
  readonly events: readonly JournalEvent[];
  /**
   * Read models to change in the same commit. They come first, and one of them is the fence: an update of
   * the execution's row that fails where its sequence, lease epoch or status is no longer what was read.
   */
  readonly readModel: readonly Write[];
  /** Bytes that may be added; without it any number. */
  readonly room?: number;
}

/** The append-only list of what happened: the one memory of an execution. */
@Injectable()
export class Journal {
  constructor(
    private readonly writer: Writer,
    private readonly repository: JournalRepository,
    @Inject(JournalTail) private readonly bus: Pick<EventBus, 'publish'>,
  ) {}

  /**
   * Appends, and publishes on the bus once it is durable.
   * Rejects, with nothing written, with what the lost guard of the read model made.
   * @param born executions that begin in the same commit
   * @returns bytes that it added, those of others that begin with it left out
   * @throws JournalFullError where there is no room for so much.
   */
  async append(append: Append, born: readonly Append[] = []): Promise<number> {
    const writes: Write[] = [];
    const batches: { readonly made: ReturnType<JournalRepository['writes']>; readonly index: number }[] = [];
    let added: number | null = null;
    for (const { scope, after, events, readModel, room = Infinity } of [append, ...born]) {
      const made = this.repository.writes(newId(), scope, after + 1, events);
      writes.push(...readModel);
      if (made.bytes > room) throw new JournalFullError(made.bytes);
      added ??= made.bytes;
      batches.push({ made, index: writes.length });
      writes.push(...made.writes);
    }
    await this.writer.commit({
      key: append.scope.executionId,
      writes,
      afterCommit: (generated) => {
        for (const { made, index } of batches) {
          made.markStored();
          this.bus.publish({ ...made.batch, position: generated[index] ?? 0 });
        }
      },
    });
    return added ?? 0;
  }
}
