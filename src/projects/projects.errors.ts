import { ConflictError, NotFoundError, PermissionError } from '../errors/index.js';

export class ProjectNotFoundError extends NotFoundError {
  constructor(id?: string) {
    super('project', id);
  }
}

/** Thrown when a project belongs to another team, or the caller's key is bound to a different project. */
export class ProjectOutOfReachError extends PermissionError {
  constructor(id: string) {
    super(`Your key has no access to the project ${id}.`, 'project_out_of_reach');
  }
}

/** Thrown when a caller tries to delete the only project of a team. */
export class LastProjectError extends ConflictError {
  constructor() {
    super('last_project', 'A team needs at least one project. Create another project first.');
  }
}

/** Thrown when a caller tries to delete a project that has unfinished executions, without `cancel=true`. */
export class ProjectBusyError extends ConflictError {
  constructor(running: number) {
    super(
      'project_has_running_executions',
      `Unfinished executions of this project: ${running}. Wait for their end, or delete the project with ?cancel=true.`,
      { running },
    );
  }
}

/** Thrown when another request changed the project at the same time. */
export class ProjectChangedError extends ConflictError {
  constructor() {
    super(
      'project_changed',
      'The project was changed by another request at the same time. Read it again and repeat the change.',
    );
  }
}
