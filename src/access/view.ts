import { ViewTokenScopeError } from './access.errors.js';
import type { Principal } from './principal.js';

export interface Viewed {
  readonly executionId?: string;
  readonly sessionId: string | null;
}

/**
 * Checks that a view token belongs to the execution or session that a request reads. Callers without a view token
 * always pass.
 * @throws ViewTokenScopeError if the view token belongs to another execution or session
 */
export function requireView({ view }: Pick<Principal, 'view'>, { executionId, sessionId }: Viewed): void {
  if (view === undefined) return;
  if ((view.kind === 'execution' ? executionId : sessionId) !== view.id) throw new ViewTokenScopeError();
}
