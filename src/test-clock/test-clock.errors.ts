import { PermissionError } from '../errors/index.js';

/** Thrown for a caller without the role admin, and for a key of a project. The clock affects the whole service. */
export class TestClockAdminRequiredError extends PermissionError {
  constructor() {
    super(
      'Only admins and owners can change the test clock, with a key that is not bound to a project.',
      'admin_required',
    );
  }
}
