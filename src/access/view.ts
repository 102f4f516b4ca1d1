import { ViewTokenScopeError } from './access.errors.js';
import type { Principal } from './principal.js';

/** The fields of an execution or session that a view token is compared with. */
export interface Viewed {
  readonly executionId?: string;
  readonly sessionId: string | null;
}

/**
 * Checks that a caller with a view token may read a resource; accepts other callers.
 * @throws ViewTokenScopeError
 */
export function requireView({ view }: Pick<Principal, 'view'>, { executionId, sessionId }: Viewed): void {
  if (view === undefined) return;
  if ((view.kind === 'execution' ? executionId : sessionId) !== view.id) throw new ViewTokenScopeError();
}
