import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type ScopeGrant, SCOPES } from '../access/index.js';
import { type ApiKey, KEY_ENVIRONMENTS, type KeyEnvironment } from './api-key.js';

const ID_EXAMPLE = '0199a8c0-8888-7abc-8def-0123456789ab';

/** An API key as responses show it. */
export class ApiKeyOnWire {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  readonly id: string;

  @ApiProperty({ type: 'string', example: 'CI' })
  readonly name: string;

  /** First characters of the key. */
  @ApiProperty({ type: 'string', example: 'wfk_8sJq' })
  readonly prefix: string;

  @ApiProperty({ type: 'string', example: 'x2Kd' })
  readonly last_four: string;

  @ApiProperty({ enum: KEY_ENVIRONMENTS, example: 'production' })
  readonly environment: KeyEnvironment;

  /** Scopes of the key; the role of the owner may grant less. */
  @ApiProperty({ enum: [...SCOPES, '*'], isArray: true, example: ['workflows:read', 'executions:write'] })
  readonly scopes: readonly ScopeGrant[];

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  readonly team_id: string;

  /** The only project that the key can access; null for all projects of the team. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: null })
  readonly project_id: string | null;

  /** Id of the owner. */
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  readonly user_id: string;

  /** Addresses from which the key may be used; null if only the list of its owner applies. */
  @ApiProperty({ type: 'array', items: { type: 'string' }, nullable: true, example: ['203.0.113.0/24'] })
  readonly allowed_ips: readonly string[] | null;

  /** The rate-limit plan that applies: the plan of the key if it has one, otherwise the plan of the team. */
  @ApiProperty({ type: 'string', example: 'free' })
  readonly plan: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  readonly expires_at: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  readonly last_used_at: string | null;

  /** Address of the last request with the key. */
  @ApiProperty({ type: 'string', nullable: true, example: '203.0.113.7' })
  readonly last_used_ip: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  readonly created_at: string;
}

/** An API key in the response that creates it. */
export class NewApiKeyOnWire extends ApiKeyOnWire {
  /**
   * The secret of the key, shown only once. The response to a repeated request with the same `Idempotency-Key` does not
   * contain the secret.
   */
  @ApiPropertyOptional({ type: 'string', example: 'wfk_8sJq3vN0bT5yWmZ1xLrC7dHfAeGu2k004bX2Kd' })
  readonly key?: string;
}

/** The fields of a key on the wire, as a plain record. */
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
