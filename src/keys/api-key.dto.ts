import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { MAX_ADDRESS_RANGES, type ScopeGrant, SCOPES } from '../access/index.js';
import { OptionalChoice, OptionalId, OptionalInteger, OptionalText, Text } from '../fields/index.js';
import { BodyMayBeAbsent } from '../http/index.js';
import { SearchedPageQuery } from '../pages/index.js';
import {
  DEFAULT_KEY_ENVIRONMENT,
  KEY_ENVIRONMENTS,
  type KeyEnvironment,
  MAX_KEY_NAME_LENGTH,
} from './api-key.js';

const SCOPE_GRANTS = [...SCOPES, '*'] as const satisfies readonly ScopeGrant[];
/** Maximum time in seconds that a rotated key remains valid: one week. */
const MAX_OVERLAP_SECONDS = 604_800;

/** Request body that creates an API key. The new key never grants more than the key that sends the request. */
export class CreateKeyBody {
  /** Name of the key, such as the name of the program that uses the key. */
  @Text({ minLength: 1, maxLength: MAX_KEY_NAME_LENGTH, example: 'CI' })
  name: string;

  /**
   * Scopes of the new key. Default: all scopes of the creating key. `*` stands for every scope that your role grants,
   * including future scopes.
   */
  @ApiPropertyOptional({
    enum: SCOPE_GRANTS,
    isArray: true,
    minItems: 1,
    example: ['workflows:read', 'executions:write'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SCOPE_GRANTS.length)
  @IsIn(SCOPE_GRANTS, { each: true })
  scopes?: ScopeGrant[];

  @OptionalChoice({ enum: KEY_ENVIRONMENTS, default: DEFAULT_KEY_ENVIRONMENT })
  environment?: KeyEnvironment;

  /**
   * The only project that the key can access. Default: the project of the creating key. If that key has no project, the
   * new key can access all projects of the team.
   */
  @OptionalId({ nullable: true, example: null })
  project_id?: string | null;

  /** Addresses from which the key may be used. Default: the addresses of the creating key. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string' },
    maxItems: MAX_ADDRESS_RANGES,
    nullable: true,
    example: ['203.0.113.0/24', '2001:db8::/32'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_ADDRESS_RANGES)
  @IsString({ each: true })
  allowed_ips?: string[] | null;

  /** A rate-limit plan of the catalog, not higher than the plan of the team. Default: the plan of the creating key. */
  @OptionalText({ minLength: 1, maxLength: 64, example: 'free' })
  plan?: string;

  /** Time at which the key expires; null for never. Default: the expiry of the creating key. */
  @OptionalText({ format: 'date-time', nullable: true, example: null })
  expires_at?: string | null;
}

/** Request body that changes an API key. Omitted fields keep their values. */
export class ChangeKeyBody {
  @OptionalText({ minLength: 1, maxLength: MAX_KEY_NAME_LENGTH, example: 'CI' })
  name?: string;

  @ApiPropertyOptional({ enum: SCOPE_GRANTS, isArray: true, minItems: 1, example: ['workflows:read'] })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SCOPE_GRANTS.length)
  @IsIn(SCOPE_GRANTS, { each: true })
  scopes?: ScopeGrant[];

  @OptionalChoice({ enum: KEY_ENVIRONMENTS })
  environment?: KeyEnvironment;

  @OptionalId({ nullable: true })
  project_id?: string | null;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string' },
    maxItems: MAX_ADDRESS_RANGES,
    nullable: true,
    example: ['203.0.113.0/24'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_ADDRESS_RANGES)
  @IsString({ each: true })
  allowed_ips?: string[] | null;

  @OptionalText({ format: 'date-time', nullable: true })
  expires_at?: string | null;
}

@BodyMayBeAbsent()
export class RotateKeyBody {
  /** Number of seconds for which the old key remains valid after the rotation. */
  @OptionalInteger({ minimum: 0, maximum: MAX_OVERLAP_SECONDS, default: 0, example: 3600 })
  overlap_seconds?: number;
}

export class ListKeysQuery extends SearchedPageQuery {
  @OptionalChoice({ enum: KEY_ENVIRONMENTS })
  environment?: KeyEnvironment;

  @OptionalId()
  project_id?: string;

  /** Returns only keys of the user with this id. Only admins and owners can see the keys of other users. */
  @OptionalId()
  user_id?: string;
}
