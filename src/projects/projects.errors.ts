import { NotFoundError, PermissionError } from '../platform/index.js';

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
