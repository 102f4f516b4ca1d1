import { PermissionError } from '../errors/index.js';
import type { Scope } from './scope.js';

/** Thrown when a request needs a scope that its key, or the role of the key's owner, does not grant. */
export class MissingScopeError extends PermissionError {
  constructor(scope: Scope) {
    super(`This request needs the scope ${scope}.`, 'missing_scope', scope);
  }
}

/** Thrown when a request with a view token does not read the execution or session that the token names. */
export class ViewTokenScopeError extends PermissionError {
  constructor() {
    super(
      'A view token can only read its execution or session. Use an API key for other requests.',
      'view_token_scope',
    );
  }
}
