import { PermissionError } from '../errors/index.js';

/** Thrown when the caller is no admin, or its key is bound to a project: the clock is that of the whole service. */
export class TestClockAdminRequiredError extends PermissionError {
  constructor() {
    super(
      'Only admins and owners move the test clock, with a key that is not bound to a project.',
      'admin_required',
    );
  }
}
