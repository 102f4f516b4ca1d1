import { Inject, Injectable } from '@nestjs/common';
import type { JournalEvent } from '../execution-events/index.js';
import { isoTime, newId } from '../platform/index.js';
import { insertShape, type Write, Writer } from '../storage/index.js';
import type { Batch, JournalScope } from './batch.js';
import { JournalTail } from './journal-tail.js';
import { JournalFullError } from './journal.errors.js';
import { POSITIONS_OF_TRANSACTION } from './journal.repository.js';
import { type StoredEvents, storedEvents } from './payload.js';
import { PayloadRepository } from './payload.repository.js';

const INSERT_BATCH = insertShape(
  'journal',
  {
    id: 'uuid',
    execution_id: 'uuid',
    project_id: 'uuid',
    workflow_id: 'uuid',
    session_id: 'uuid',
    first_sequence: 'integer',
    last_sequence: 'integer',
    created_at: 'timestamptz',
    body: 'text',
  },
  {
    column: 'position',
    key: ['execution_id', 'first_sequence'],
    // The position of the previous batch is null while a transaction with a lower id is in progress. That
    // transaction may still add a batch before the batch of this commit. The innermost query is the body of
    // `journal_position_of`, because calling this SQL function takes longer than inserting the batch.
    previous: `CASE WHEN pg_snapshot_xmin(pg_current_snapshot()) >= pg_current_xact_id() THEN (
      SELECT coalesce(max(j.position), 0) FROM journal AS j
      WHERE j.position < (
        SELECT last_value + pg_current_xact_id()::text::bigint * ${POSITIONS_OF_TRANSACTION} FROM journal_offset)) END`,
  },
);

export interface Append {
  readonly scope: JournalScope;
  readonly after: number;
  readonly events: readonly JournalEvent[];
  /**
   * Further writes of the same commit. For an existing execution, one of these writes must check its sequence, epoch and
   * status.
   */
  readonly otherWrites: readonly Write[];
  /** Maximum number of bytes that the append may add. Unlimited if omitted. */
  readonly room?: number;
}

type UnplacedBatch = Pick<Batch, 'id' | 'firstSequence'> &
  Pick<StoredEvents, 'slim' | 'bytes' | 'markStored'> & {
    readonly scope: JournalScope;
    readonly index: number;
  };

/** The append-only list of events, which is the source of truth about executions. */
@Injectable()
export class Journal {
  constructor(
    private readonly writer: Writer,
    @Inject(PayloadRepository) private readonly payloads: Pick<PayloadRepository, 'write'>,
    @Inject(JournalTail) private readonly tail: Pick<JournalTail, 'publish'>,
  ) {}

  /**
   * Appends events of an execution, and publishes them after the commit.
   * @param children executions created in the same commit
   * @returns number of bytes added to the execution, without the bytes of `children`
   * @throws JournalFullError if the events exceed `room`
   * @throws the error of a failed check in `otherWrites`; in this case, nothing is written
   */
  async append(append: Append, children: readonly Append[] = []): Promise<number> {
    const writes: Write[] = [];
    const added = this.batchOf(append, writes);
    const batches = [added, ...children.map((child) => this.batchOf(child, writes))];
    await this.writer.commit({
      key: append.scope.executionId,
      writes,
      afterCommit: (generated, previous) => {
        for (const { id, scope, firstSequence, slim, index, markStored } of batches) {
          markStored();
          const position = generated[index] ?? 0;
          this.tail.publish({ id, ...scope, firstSequence, events: slim, position }, previous);
        }
      },
    });
    return added.bytes;
  }

  /**
   * Adds the writes of one execution to `writes`.
   * @returns the batch of the execution without its position, which the commit assigns, and the index in `writes` of the
   * statement that inserts the batch
   */
  private batchOf(
    { scope, after, events, otherWrites, room = Infinity }: Append,
    writes: Write[],
  ): UnplacedBatch {
    const id = newId();
    const firstSequence = after + 1;
    const { executionId, projectId, workflowId, sessionId } = scope;
    const { slim, body, payloads, bytes, markStored } = storedEvents(executionId, firstSequence, events);
    if (bytes > room) throw new JournalFullError(bytes);
    const createdAt = isoTime(events.at(-1)?.at ?? 0);
    const last = after + events.length;
    const index = writes.push(...otherWrites);
    writes.push(
      {
        shape: INSERT_BATCH,
        row: [id, executionId, projectId, workflowId, sessionId, firstSequence, last, createdAt, body],
      },
      ...payloads.map((payload) => this.payloads.write(executionId, payload)),
    );
    return { id, scope, firstSequence, slim, index, bytes, markStored };
  }
}
