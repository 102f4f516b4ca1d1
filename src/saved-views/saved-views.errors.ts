import { ConflictError, NotFoundError, PermissionError } from '../errors/index.js';

/** Thrown when no view has the id, or the view belongs to another person. */
export class SavedViewNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('saved view', id);
  }
}

export class SavedViewOutOfReachError extends PermissionError {
  constructor(id: string) {
    super(`Your key has no access to the saved view ${id}.`, 'saved_view_out_of_reach');
  }
}

/** Thrown when a person may not create, change or delete a view of the team. */
export class TeamViewError extends PermissionError {
  constructor() {
    super(
      'Viewers cannot share views. Members change the views that they created; admins change all views of the team.',
      'team_view_refused',
    );
  }
}

/** Thrown when a person or a team has the maximum number of views of a page. */
export class TooManySavedViewsError extends ConflictError {
  constructor(limit: number) {
    super('too_many_saved_views', `This page already has ${limit} saved views. Delete one of them first.`);
  }
}

export class SavedViewChangedError extends ConflictError {
  constructor() {
    super(
      'saved_view_changed',
      'The saved view was changed by another request at the same time; read it again and repeat the change.',
    );
  }
}
