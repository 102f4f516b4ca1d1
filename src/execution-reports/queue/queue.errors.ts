import { PermissionError } from '../../errors/index.js';

/** Thrown when somebody asks for figures of the whole service who is no admin, or whose key is bound to a project. */
export class AdminRequiredError extends PermissionError {
  constructor() {
    super('Only admins and owners see this, with a key that is not bound to a project.', 'admin_required');
  }
}
