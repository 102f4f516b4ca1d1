import { ViewTokenScopeError } from './access.errors.js';
import type { Principal } from './principal.js';

export interface Viewed {
  readonly executionId?: string;
  readonly sessionId: string | null;
}

/**
 * Always passes for callers without a view token.
 * @throws ViewTokenScopeError
 */
export function requireView({ view }: Pick<Principal, 'view'>, { executionId, sessionId }: Viewed): void {
  if (view === undefined) return;
  if ((view.kind === 'execution' ? executionId : sessionId) !== view.id) throw new ViewTokenScopeError();
}
