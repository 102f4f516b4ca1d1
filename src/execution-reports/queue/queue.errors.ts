import { PermissionError } from '../../errors/index.js';

/** Thrown when a caller without the required role or key requests figures of the whole service. */
export class AdminRequiredError extends PermissionError {
  constructor() {
    super(
      'Figures of the whole service require the role admin or owner, and a key that is not bound to a project.',
      'admin_required',
    );
  }
}
