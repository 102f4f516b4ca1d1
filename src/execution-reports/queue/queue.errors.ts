import { PermissionError } from '../../errors/index.js';

/**
 * Thrown if a caller requests figures of the whole service, but is not an admin or owner, or uses a key bound
 * to a project.
 */
export class AdminRequiredError extends PermissionError {
  constructor() {
    super(
      'Only admins and owners can read statistics of the whole service. Their key must not be bound to a project.',
      'admin_required',
    );
  }
}
