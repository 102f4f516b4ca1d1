import { ConflictError, NotFoundError } from '../errors/index.js';
import type { WorkflowStatus } from './workflow.js';

export class WorkflowNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('workflow', id);
  }
}

export class WorkflowVersionNotFoundError extends NotFoundError {
  constructor(version: number) {
    super('workflow_version', String(version));
  }
}

/** Thrown when the current status of a workflow does not allow the new status. */
export class StatusTransitionError extends ConflictError {
  constructor(from: WorkflowStatus, to: WorkflowStatus) {
    super('invalid_status_transition', `The status of a workflow cannot change from ${from} to ${to}.`);
  }
}

export class WorkflowArchivedError extends ConflictError {
  constructor() {
    super('workflow_archived', 'An archived workflow cannot be changed. Set its status to paused first.');
  }
}

export class WorkflowBusyError extends ConflictError {
  constructor(running: number) {
    super(
      'workflow_has_running_executions',
      `Unfinished executions of this workflow: ${running}. Wait for their end, or delete the workflow with ?cancel=true.`,
      { running },
    );
  }
}

export class WorkflowChangedError extends ConflictError {
  constructor() {
    super(
      'workflow_changed',
      'The workflow was changed by another request at the same time. Read it again and repeat the change.',
    );
  }
}
