import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type ScopeGrant, SCOPES } from '../access/index.js';
import { type ApiKey, KEY_ENVIRONMENTS, type KeyEnvironment } from './api-key.js';

const ID_EXAMPLE = '0199a8c0-8888-7abc-8def-0123456789ab';

export class ApiKeyOnWire {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  readonly id: string;

  @ApiProperty({ type: 'string', example: 'CI' })
  readonly name: string;

  @ApiProperty({ type: 'string', example: 'wfk_8sJq' })
  readonly prefix: string;

  @ApiProperty({ type: 'string', example: 'x2Kd' })
  readonly last_four: string;

  @ApiProperty({ enum: KEY_ENVIRONMENTS, example: 'production' })
  readonly environment: KeyEnvironment;

  /** Scopes of the key. A scope has no effect if the role of the key's owner does not grant it. */
  @ApiProperty({ enum: [...SCOPES, '*'], isArray: true, example: ['workflows:read', 'executions:write'] })
  readonly scopes: readonly ScopeGrant[];

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  readonly team_id: string;

  /** Id of the only project that the key can access; null if the key can access all projects of the team. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: null })
  readonly project_id: string | null;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  readonly user_id: string;

  /** Addresses and CIDR ranges from which the key may be used; null if the key has no address list. */
  @ApiProperty({ type: 'array', items: { type: 'string' }, nullable: true, example: ['203.0.113.0/24'] })
  readonly allowed_ips: readonly string[] | null;

  /** Name of the rate-limit plan of the key, or of the team's plan if the key has none. */
  @ApiProperty({ type: 'string', example: 'free' })
  readonly plan: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  readonly expires_at: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  readonly last_used_at: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: '203.0.113.7' })
  readonly last_used_ip: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  readonly created_at: string;
}

/** The API key in the response that creates it, the only response that contains the secret. */
export class NewApiKeyOnWire extends ApiKeyOnWire {
  /**
   * The secret of the key. The response to a repeated request with the same idempotency key does not contain the
   * secret.
   */
  @ApiPropertyOptional({ type: 'string', example: 'wfk_8sJq3vN0bT5yWmZ1xLrC7dHfAeGu2k004bX2Kd' })
  readonly key?: string;
}

export type ApiKeyRecord = Pick<ApiKeyOnWire, keyof ApiKeyOnWire>;

/** @param plan the rate-limit plan of the key's team */
export function apiKeyOnWire(key: ApiKey, plan: string): ApiKeyRecord {
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
    plan: key.plan ?? plan,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    last_used_ip: key.lastUsedIp,
    created_at: key.createdAt,
  };
}
