import { Inject, Injectable } from '@nestjs/common';
import type { JournalEvent } from '../engine/index.js';
import { newId, type Write, Writer } from '../platform/index.js';
import type { JournalScope } from './batch.js';
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
   */
  append({ scope, after, events, readModel }: Append): Promise<void> {
    const { writes, batch } = this.repository.writes(newId(), scope, after + 1, events);
    return this.writer.commit({
      key: scope.executionId,
      writes: [...readModel, ...writes],
      afterCommit: (generated) => this.bus.publish({ ...batch, position: generated[readModel.length] ?? 0 }),
    });
  }
}
