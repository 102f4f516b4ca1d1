import { ViewTokenScopeError } from './access.errors.js';
import type { Principal } from './principal.js';

/** An execution or a session, as far as a view token is compared with it. */
export interface Viewed {
  readonly executionId?: string;
  readonly sessionId: string | null;
}

/**
 * Checks that a caller with a view token may read something; does nothing for other callers.
 * @throws ViewTokenScopeError
 */
export function requireView({ view }: Pick<Principal, 'view'>, { executionId, sessionId }: Viewed): void {
  if (view === undefined) return;
  if ((view.kind === 'execution' ? executionId : sessionId) !== view.id) throw new ViewTokenScopeError();
}
