import { PermissionError } from '../../errors/index.js';

/**
 * Thrown when a caller requests figures of the whole service without the role admin, or with a key bound to a project.
 */
export class AdminRequiredError extends PermissionError {
  constructor() {
    super(
      'Only admins and owners can see figures of the whole service, with a key that is not bound to a project.',
      'admin_required',
    );
  }
}
