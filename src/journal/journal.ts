import { Inject, Injectable } from '@nestjs/common';
import type { JournalEvent } from '../execution-events/index.js';
import { newId } from '../platform/index.js';
import { type Write, Writer } from '../storage/index.js';
import type { JournalScope } from './batch.js';
import { JournalTail } from './journal-tail.js';
import { JournalFullError } from './journal.errors.js';
import { JournalRepository } from './journal.repository.js';

export interface Append {
  readonly scope: JournalScope;
  readonly after: number;
  readonly events: readonly JournalEvent[];
  /**
   * Writes that the commit makes before the append. One of these writes must check the execution's sequence, epoch and
   * status.
   */
  readonly readModel: readonly Write[];
  /** Maximum number of bytes that the append may add. Unlimited if omitted. */
  readonly room?: number;
}

/** The append-only list of events, which is the source of truth about executions. */
@Injectable()
export class Journal {
  constructor(
    private readonly writer: Writer,
    private readonly repository: JournalRepository,
    @Inject(JournalTail) private readonly tail: Pick<JournalTail, 'publish'>,
  ) {}

  /**
   * Appends events of an execution, and publishes them after the commit.
   * @param children executions created in the same commit
   * @returns number of bytes added to the execution, without the bytes of `children`
   * @throws JournalFullError if the events exceed `room`
   * @throws the error of a failed check in `readModel`; in this case, nothing is written
   */
  async append(append: Append, children: readonly Append[] = []): Promise<number> {
    const writes: Write[] = [];
    const added = this.batchOf(append, writes);
    const batches = [added, ...children.map((child) => this.batchOf(child, writes))];
    await this.writer.commit({
      key: append.scope.executionId,
      writes,
      afterCommit: (generated, previous) => {
        for (const { made, index } of batches) {
          made.markStored();
          this.tail.publish({ ...made.batch, position: generated[index] ?? 0 }, previous);
        }
      },
    });
    return added.made.bytes;
  }

  /**
   * Adds the writes of one execution to `writes`.
   * @returns the batch of the execution, and the index in `writes` of the statement that inserts the batch
   */
  private batchOf(
    { scope, after, events, readModel, room = Infinity }: Append,
    writes: Write[],
  ): { readonly made: ReturnType<JournalRepository['writes']>; readonly index: number } {
    const made = this.repository.writes(newId(), scope, after + 1, events);
    if (made.bytes > room) throw new JournalFullError(made.bytes);
    const index = writes.push(...readModel);
    writes.push(...made.writes);
    return { made, index };
  }
}
