import { ConflictError, NotFoundError, PermissionError } from '../errors/index.js';

/** Thrown when no saved view has the id, or the view is the private view of another person. */
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

/** Thrown when a person has no permission to create, change or delete a saved view of the team. */
export class TeamViewError extends PermissionError {
  constructor() {
    super(
      'Viewers cannot share saved views. Members can change their own views. Admins and owners can change all shared views.',
      'team_view_refused',
    );
  }
}

/** Thrown when a person already sees the maximum number of saved views of a page, including views of the team. */
export class TooManySavedViewsError extends ConflictError {
  constructor(limit: number) {
    super(
      'too_many_saved_views',
      `You already see ${limit} saved views of this page (your own and shared ones), which is the maximum. Delete a view first.`,
    );
  }
}

export class SavedViewChangedError extends ConflictError {
  constructor() {
    super(
      'saved_view_changed',
      'The saved view was changed by another request at the same time. Read it again and repeat the change.',
    );
  }
}
