import { isKnown } from '../execution-events/index.js';
import type { Batch, JournalRepository } from '../journal/index.js';
import { executionTraceHeaders, receivedTrace, type TraceHeaders } from '../trace-context/index.js';

const MAX_KEPT = 5_000;

type Journal = Pick<JournalRepository, 'ofExecution'>;

/** Cache of trace headers by execution, for the deliveries of one webhook. */
export class ExecutionTraces {
  private readonly kept = new Map<string, TraceHeaders>();

  constructor(private readonly journal: Journal) {}

  /** Caches the trace headers of an execution if the batch contains its first event, which records the trace. */
  learn(batch: Batch): void {
    if (batch.firstSequence === 1) this.keep(batch.executionId, headersAt(batch.executionId, batch));
  }

  async headersOf(executionId: string): Promise<TraceHeaders> {
    const kept = this.kept.get(executionId);
    if (kept !== undefined) return kept;
    const headers = await storedTraceHeaders(this.journal, executionId);
    this.keep(executionId, headers);
    return headers;
  }

  private keep(executionId: string, headers: TraceHeaders): void {
    this.kept.set(executionId, headers);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
  }
}

export async function storedTraceHeaders(journal: Journal, executionId: string): Promise<TraceHeaders> {
  const { batches } = await journal.ofExecution(executionId, 0, 1);
  return headersAt(executionId, batches[0]);
}

/** @param first the first batch, which contains the trace of the caller; undefined if retention has deleted it */
function headersAt(id: string, first: Batch | undefined): TraceHeaders {
  const event = first?.events[0];
  const isStart = event !== undefined && isKnown(event) && event.type === 'workflow.queued';
  const trace = isStart ? receivedTrace(event.data.traceparent, event.data.tracestate) : null;
  return executionTraceHeaders({ id, trace });
}
