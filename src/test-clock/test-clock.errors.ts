import { PermissionError } from '../errors/index.js';

/**
 * Thrown when the caller is not an admin, or the caller's key is bound to a project: the clock affects the whole
 * service.
 */
export class TestClockAdminRequiredError extends PermissionError {
  constructor() {
    super(
      'Only admins and owners can change the test clock, with a key that is not bound to a project.',
      'admin_required',
    );
  }
}
