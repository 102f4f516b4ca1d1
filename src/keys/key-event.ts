import { type AuditEvent, changeEvent, type ResourceStates } from '../audit/index.js';
import type { ApiKey } from './api-key.js';
import { apiKeyOnWire } from './api-key.wire.js';

export function keyEvent(action: `key.${string}`, states: ResourceStates<ApiKey>): AuditEvent {
  return changeEvent(states.after ?? states.before, { action, ...states, recorded });
}

/** Returns the fields of a key for the audit log, without its rate-limit plan and its last use. */
function recorded(key: ApiKey): object {
  const { plan: _plan, last_used_at: _at, last_used_ip: _ip, ...own } = apiKeyOnWire(key, '');
  return own;
}
