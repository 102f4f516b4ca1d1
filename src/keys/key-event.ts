import type { AuditEvent } from '../audit/index.js';
import type { ApiKey } from './api-key.js';
import { apiKeyOnWire } from './api-key.wire.js';

/** A change of a key for the audit log: the key before, after, or both. */
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

/** Omits fields that are not the key's own: the plan belongs to the team, and a use is no change. */
function recorded(key: ApiKey): object {
  const { plan: _plan, last_used_at: _at, last_used_ip: _ip, ...own } = apiKeyOnWire(key, '');
  return own;
}
