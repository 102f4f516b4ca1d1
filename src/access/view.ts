import { ViewTokenScopeError } from './access.errors.js';
import type { Principal } from './principal.js';

/** The ids of an execution or session that `requireView` compares with a view token. */
export interface Viewed {
  readonly executionId?: string;
  readonly sessionId: string | null;
}

/**
 * Checks that a view token allows its holder to read a resource. Callers without a view token always pass.
 * @throws ViewTokenScopeError
 */
export function requireView({ view }: Pick<Principal, 'view'>, { executionId, sessionId }: Viewed): void {
  if (view === undefined) return;
  if ((view.kind === 'execution' ? executionId : sessionId) !== view.id) throw new ViewTokenScopeError();
}
