import { PermissionError } from '../errors/index.js';
import type { Scope } from './scope.js';

/** Thrown when the key, or the role of its owner, does not give a scope that a request needs. */
export class MissingScopeError extends PermissionError {
  constructor(scope: Scope) {
    super(`This needs the scope ${scope}.`, 'missing_scope', scope);
  }
}

/** Thrown when a view token is used for anything except the execution or session it was issued for. */
export class ViewTokenScopeError extends PermissionError {
  constructor() {
    super(
      'A view token only reads the execution or session it was made for. Use an API key for everything else.',
      'view_token_scope',
    );
  }
}
