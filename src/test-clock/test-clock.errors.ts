import { PermissionError } from '../errors/index.js';

/**
 * Thrown for a caller without the role admin, or with a key of a project, because the clock affects the whole
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
