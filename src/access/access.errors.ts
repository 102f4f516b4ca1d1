import { PermissionError } from '../errors/index.js';
import type { Scope } from './scope.js';

/** Thrown when the API key, or the role of its owner, lacks the scope that a request needs. */
export class MissingScopeError extends PermissionError {
  constructor(scope: Scope) {
    super(`This request needs the scope ${scope}.`, 'missing_scope', scope);
  }
}

/**
 * Thrown when a view token is used for another execution or session than its own, or on a route that accepts no view
 * tokens.
 */
export class ViewTokenScopeError extends PermissionError {
  constructor() {
    super(
      'A view token can only read its execution or session. Use an API key for other requests.',
      'view_token_scope',
    );
  }
}
