import type { ScopeGrant } from '../access/index.js';
import type { ApiKey, KeyEnvironment } from './api-key.js';

/** An API key as answers show it. */
export interface ApiKeyOnWire {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly last_four: string;
  readonly environment: KeyEnvironment;
  readonly scopes: readonly ScopeGrant[];
  readonly team_id: string;
  readonly project_id: string | null;
  readonly user_id: string;
  readonly allowed_ips: readonly string[] | null;
  readonly plan: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly last_used_ip: string | null;
  readonly created_at: string;
}

/** @param plan the rate-limit plan of the key's team */
export function apiKeyOnWire(key: ApiKey, plan: string): ApiKeyOnWire {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    environment: key.environment,
    scopes: key.scopes,
    team_id: key.teamId,
    project_id: key.projectId,
    user_id: key.userId,
    allowed_ips: key.allowedIps,
    plan,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    last_used_ip: key.lastUsedIp,
    created_at: key.createdAt,
  };
}
