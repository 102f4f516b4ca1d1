import { PermissionError } from '../../errors/index.js';

/** Thrown when a caller without the admin role, or with a key bound to a project, requests service-wide figures. */
export class AdminRequiredError extends PermissionError {
  constructor() {
    super('Only admins and owners see this, with a key that is not bound to a project.', 'admin_required');
  }
}
