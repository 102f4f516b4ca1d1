import { Inject, Injectable } from '@nestjs/common';
import type { JournalEvent } from '../engine/index.js';
import { newId, type Write, Writer } from '../platform/index.js';
import type { Batch, JournalScope } from './batch.js';
import type { EventBus } from './event-bus.js';
import { JournalTail } from './journal-tail.js';
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
   */
  append(append: Append, born: readonly Append[] = []): Promise<void> {
    const writes: Write[] = [];
    const batches: { readonly batch: Omit<Batch, 'position'>; readonly index: number }[] = [];
    for (const { scope, after, events, readModel } of [append, ...born]) {
      const made = this.repository.writes(newId(), scope, after + 1, events);
      writes.push(...readModel);
      batches.push({ batch: made.batch, index: writes.length });
      writes.push(...made.writes);
    }
    return this.writer.commit({
      key: append.scope.executionId,
      writes,
      afterCommit: (generated) => {
        for (const { batch, index } of batches)
          this.bus.publish({ ...batch, position: generated[index] ?? 0 });
      },
    });
  }
}
