import { ConflictError } from '../errors/index.js';

/** Thrown when a workflow that is not active is to be started. */
export class WorkflowNotActiveError extends ConflictError {
  constructor(status: string) {
    super('workflow_not_active', `The workflow is ${status}; only an active one can be started.`, { status });
  }
}
