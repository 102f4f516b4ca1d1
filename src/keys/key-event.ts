import type { AuditEvent } from '../audit/index.js';
import type { ApiKey } from './api-key.js';
import { apiKeyOnWire } from './api-key.wire.js';

/** What happened to a key, for the audit log: the key as it was, as it is, or both. */
export function keyEvent(
  action: `key.${string}`,
  { id, teamId, projectId }: ApiKey,
  { before, after }: { readonly before?: ApiKey; readonly after?: ApiKey },
): AuditEvent {
  return {
    teamId,
    projectId,
    action,
    target: { type: 'key', id },
    ...(before === undefined ? {} : { before: recorded(before) }),
    ...(after === undefined ? {} : { after: recorded(after) }),
  };
}

/** Without what is not the key's own: the plan is the team's, and its use is no change. */
function recorded(key: ApiKey): object {
  const { plan: _plan, last_used_at: _at, last_used_ip: _ip, ...own } = apiKeyOnWire(key, '');
  return own;
}
