import { ConflictError, NotFoundError, PermissionError } from '../errors/index.js';

/** Thrown when there is no project of an id, or none at all. */
export class ProjectNotFoundError extends NotFoundError {
  constructor(id?: string) {
    super('project', id);
  }
}

/** Thrown when a project is another team's, or the key is bound to another project. */
export class ProjectOutOfReachError extends PermissionError {
  constructor(id: string) {
    super(`This key does not reach the project ${id}.`, 'project_out_of_reach');
  }
}

/** Thrown when the only project of a team is to be deleted. */
export class LastProjectError extends ConflictError {
  constructor() {
    super('last_project', 'A team needs a project: make another one first.');
  }
}

/** Thrown when a project is to be deleted while executions in it have not ended. */
export class ProjectBusyError extends ConflictError {
  constructor(running: number) {
    super(
      'project_has_running_executions',
      `${running === 1 ? '1 execution in this project has' : `${running} executions in this project have`} not ended; wait until then, or delete with ?cancel=true.`,
      { running },
    );
  }
}

/** Thrown when a project was changed by somebody else in the same moment. */
export class ProjectChangedError extends ConflictError {
  constructor() {
    super(
      'project_changed',
      'The project was changed in the same moment; read it again and repeat the change.',
    );
  }
}
