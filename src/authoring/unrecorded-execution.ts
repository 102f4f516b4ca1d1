import { type Execution, NOT_STARTED } from '../execution-store/index.js';
import { newId } from '../platform/index.js';
import type { Workflow } from '../workflows/index.js';

/** An execution that exists only in memory, for a node test. It has a new id and no session. */
export function unrecordedExecution(workflow: Workflow): Execution {
  return {
    id: newId(),
    projectId: workflow.projectId,
    workflowId: workflow.id,
    workflowVersion: workflow.version,
    sessionId: null,
    trigger: { type: 'api', id: null },
    input: null,
    metadata: {},
    priority: 0,
    attempt: 1,
    retryOf: null,
    parentId: null,
    rootId: null,
    depth: 0,
    scheduledFor: null,
    createdAt: workflow.updatedAt,
    deduplicationKey: null,
    trace: null,
    admission: null,
    progress: NOT_STARTED,
    lease: { owner: null, epoch: 0 },
  };
}
