import { Logger } from '@nestjs/common';
import type { Batch } from '../journal/index.js';
import type { ReadEvent } from '../execution-events/index.js';
import { ExecutionSpans } from './execution-spans.js';
import type { Span } from './span.js';

/**
 * Maximum number of executions whose span state stays in memory. The state of any other execution is computed again
 * from the journal.
 */
const MAX_KEPT = 10_000;

export type ReadEvents = (executionId: string, upTo: number) => Promise<readonly ReadEvent[]>;

/** Computes spans from the journal batches of many executions, including executions that another process started. */
export class SpanRecorder {
  private readonly logger = new Logger('Telemetry');
  private readonly kept = new Map<string, ExecutionSpans>();
  /**
   * Batches of executions whose earlier events are being read from the journal, by execution id. The batches wait until
   * the read has ended.
   */
  private readonly reading = new Map<string, Batch[]>();

  /** @param emit receives the spans that a batch ended, with the position of the batch */
  constructor(
    private readonly read: ReadEvents,
    private readonly emit: (position: number, spans: readonly Span[]) => void,
  ) {}

  /** Records a batch that this process committed. Batches must be recorded in commit order. */
  record(batch: Batch): void {
    const { executionId, firstSequence } = batch;
    const waiting = this.reading.get(executionId);
    if (waiting !== undefined) {
      waiting.push(batch);
      return;
    }
    const spans = firstSequence === 1 ? new ExecutionSpans(batch) : this.kept.get(executionId);
    if (spans?.sequence === firstSequence - 1) return this.apply(spans, batch);
    this.reading.set(executionId, [batch]);
    void this.readAndApply(executionId);
  }

  /** Lowest journal position of a batch that waits for earlier events. Infinity if no batch waits. */
  get oldest(): number {
    let oldest = Infinity;
    for (const batches of this.reading.values())
      for (const { position } of batches) oldest = Math.min(oldest, position);
    return oldest;
  }

  /**
   * Computes the spans of batches that a dead process committed.
   *
   * @returns the spans that ended in these batches
   */
  async recover(batches: readonly Batch[]): Promise<readonly Span[]> {
    const spans: Span[] = [];
    for (const ofOne of Map.groupBy(batches, ({ executionId }) => executionId).values()) {
      const [first] = ofOne;
      if (first === undefined) continue;
      const execution = await this.restored(first);
      for (const batch of ofOne)
        if (batch.firstSequence === execution.sequence + 1) spans.push(...execution.apply(batch.events));
    }
    return spans;
  }

  private apply(execution: ExecutionSpans, batch: Batch): void {
    const { executionId } = batch;
    const spans = execution.apply(batch.events);
    this.kept.delete(executionId);
    if (!execution.isAtRest) this.keep(executionId, execution);
    this.emit(batch.position, spans);
  }

  private keep(executionId: string, execution: ExecutionSpans): void {
    this.kept.set(executionId, execution);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
  }

  private async readAndApply(executionId: string): Promise<void> {
    for (;;) {
      const batch = this.reading.get(executionId)?.[0];
      if (batch === undefined) break;
      try {
        const kept = this.kept.get(executionId);
        const isNext = kept?.sequence === batch.firstSequence - 1;
        this.apply(isNext ? kept : await this.restored(batch), batch);
      } catch (error) {
        const { workflowId } = batch;
        this.logger.warn(
          { err: error, execution_id: executionId, workflow_id: workflowId },
          'The spans of an execution could not be computed because its journal could not be read.',
        );
      }
      this.reading.get(executionId)?.shift();
    }
    this.reading.delete(executionId);
  }

  /** Returns the span state of an execution before a batch, computed from the earlier events in the journal. */
  private async restored(batch: Batch): Promise<ExecutionSpans> {
    const execution = new ExecutionSpans(batch);
    const before = batch.firstSequence - 1;
    if (before > 0) execution.apply(await this.read(batch.executionId, before));
    return execution;
  }
}
