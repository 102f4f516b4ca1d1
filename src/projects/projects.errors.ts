import { ConflictError, NotFoundError, PermissionError } from '../errors/index.js';

/** Thrown when no project has the id, or the team has none. */
export class ProjectNotFoundError extends NotFoundError {
  constructor(id?: string) {
    super('project', id);
  }
}

/** Thrown when a project belongs to another team, or the key is bound to another project. */
export class ProjectOutOfReachError extends PermissionError {
  constructor(id: string) {
    super(`This key does not reach the project ${id}.`, 'project_out_of_reach');
  }
}

/** Thrown when the only project of a team would be deleted. */
export class LastProjectError extends ConflictError {
  constructor() {
    super('last_project', 'A team needs a project: make another one first.');
  }
}

/** Thrown when a project is deleted while executions in it are unfinished. */
export class ProjectBusyError extends ConflictError {
  constructor(running: number) {
    super(
      'project_has_running_executions',
      `${running === 1 ? '1 execution in this project has' : `${running} executions in this project have`} not ended; wait until then, or delete with ?cancel=true.`,
      { running },
    );
  }
}

/** Thrown when another request changed the project at the same time. */
export class ProjectChangedError extends ConflictError {
  constructor() {
    super(
      'project_changed',
      'The project was changed by another request at the same time; read it again and repeat the change.',
    );
  }
}
