import { PermissionError } from '../errors/index.js';

/**
 * Thrown for a caller without the role of admin or owner, and for a key that is bound to a project. The test clock
 * affects the whole service.
 */
export class TestClockAdminRequiredError extends PermissionError {
  constructor() {
    super(
      'Only admins and owners can change the test clock. Their key must not be bound to a project.',
      'admin_required',
    );
  }
}
