import type { Logger } from '@nestjs/common';
import type { Batch } from './batch.js';

export type BatchListener = (batch: Batch) => void;

/** Calls a listener. Logs its error, so that the other listeners also get the batch. */
export function callListener(listener: BatchListener, batch: Batch, logger: Logger): void {
  try {
    listener(batch);
  } catch (error) {
    logger.error(
      {
        err: error,
        execution_id: batch.executionId,
        workflow_id: batch.workflowId,
        ...(batch.traceId === undefined ? {} : { trace_id: batch.traceId }),
      },
      'A listener of committed events failed.',
    );
  }
}
