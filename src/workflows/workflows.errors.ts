import { ConflictError, NotFoundError } from '../errors/index.js';
import type { WorkflowStatus } from './workflow.js';

/** Thrown when a workflow does not exist or was deleted. */
export class WorkflowNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('workflow', id);
  }
}

/** Thrown when a version of a workflow does not exist. */
export class WorkflowVersionNotFoundError extends NotFoundError {
  constructor(version: number) {
    super('workflow_version', String(version));
  }
}

/** Thrown when the current status of a workflow does not allow the new one. */
export class StatusTransitionError extends ConflictError {
  constructor(from: WorkflowStatus, to: WorkflowStatus) {
    super('invalid_status_transition', `A workflow that is ${from} cannot become ${to}.`);
  }
}

/** Thrown when an archived workflow would be changed. */
export class WorkflowArchivedError extends ConflictError {
  constructor() {
    super('workflow_archived', 'An archived workflow cannot be changed; set its status to paused first.');
  }
}

/** Thrown when a workflow with unfinished executions would be deleted. */
export class WorkflowBusyError extends ConflictError {
  constructor(running: number) {
    super(
      'workflow_has_running_executions',
      `${running} executions of this workflow have not ended; wait for them, or delete with ?cancel=true.`,
      { running },
    );
  }
}

/** Thrown when a concurrent change of a workflow came first. */
export class WorkflowChangedError extends ConflictError {
  constructor() {
    super(
      'workflow_changed',
      'The workflow was changed by another request at the same time; read it again and repeat the change.',
    );
  }
}
