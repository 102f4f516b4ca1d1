import { PermissionError } from '../errors/index.js';
import type { Scope } from './scope.js';

/** Thrown when the key, or the role of its owner, does not give a scope that a request needs. */
export class MissingScopeError extends PermissionError {
  constructor(scope: Scope) {
    super(`This needs the scope ${scope}.`, 'missing_scope', scope);
  }
}
