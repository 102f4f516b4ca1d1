import { Injectable, Inject, Logger, type OnModuleInit } from '@nestjs/common';
import { isKnown, type JournalEvent } from '../execution-events/index.js';
import { type Batch, JournalTail } from '../journal/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';

@Injectable()
export class ExecutionLog implements OnModuleInit {
  private readonly logger = new Logger('Executions');

  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'LOG_EXECUTIONS'>,
    @Inject(JournalTail) private readonly tail: Pick<JournalTail, 'onCommitted'>,
  ) {}

  onModuleInit(): void {
    if (this.settings.LOG_EXECUTIONS) this.tail.onCommitted((batch) => this.write(batch));
  }

  private write({ executionId, workflowId, traceId, events }: Batch): void {
    for (const event of events) {
      const line = isKnown(event) ? lineOf(event) : null;
      if (line === null) continue;
      const fields = {
        execution_id: executionId,
        workflow_id: workflowId,
        trace_id: traceId,
        ...line.fields,
      };
      this.logger.log(fields, line.message);
    }
  }
}

function lineOf(event: JournalEvent): { readonly message: string; readonly fields: object } | null {
  switch (event.type) {
    case 'workflow.started':
      return { message: 'Execution started.', fields: {} };
    case 'workflow.completed':
    case 'workflow.cancelled': {
      const { status, duration_ms } = event.data;
      return { message: 'Execution ended.', fields: { status, duration_ms } };
    }
    case 'workflow.failed': {
      const { status, duration_ms, error } = event.data;
      const { type: error_type, node_id } = error;
      return { message: 'Execution failed.', fields: { status, duration_ms, error_type, node_id } };
    }
    default:
      return null;
  }
}
