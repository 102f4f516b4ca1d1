import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Max,
  Min,
} from 'class-validator';
import { MAX_ADDRESS_RANGES, type ScopeGrant, SCOPES } from '../access/index.js';
import { BodyMayBeAbsent } from '../http/index.js';
import { PageQuery } from '../pages/index.js';
import {
  DEFAULT_KEY_ENVIRONMENT,
  KEY_ENVIRONMENTS,
  type KeyEnvironment,
  MAX_KEY_NAME_LENGTH,
} from './api-key.js';

const SCOPE_GRANTS = [...SCOPES, '*'] as const satisfies readonly ScopeGrant[];
/** One week. */
const MAX_OVERLAP_SECONDS = 604_800;

/** What is asked for in a key; it never gives more than the key that makes it. */
export class CreateKeyBody {
  /** Says what the key is for. */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_KEY_NAME_LENGTH, example: 'CI' })
  @IsString()
  @Length(1, MAX_KEY_NAME_LENGTH)
  name: string;

  /** Default: all that the key has that makes it. `*` is all that your role gives, now or later. */
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

  @ApiPropertyOptional({ enum: KEY_ENVIRONMENTS, default: DEFAULT_KEY_ENVIRONMENT })
  @IsOptional()
  @IsIn(KEY_ENVIRONMENTS)
  environment?: KeyEnvironment;

  /** The one project it reaches. Default: that of the key that makes it; without one, all of the team. */
  @ApiPropertyOptional({ type: 'string', format: 'uuid', nullable: true, example: null })
  @IsOptional()
  @IsUUID()
  project_id?: string | null;

  /** Addresses it may be used from. Default: those of the key that makes it. */
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

  /** A rate-limit plan of the catalogue that is not above that of the team. Default: that of the key that makes it. */
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: 64, example: 'free' })
  @IsOptional()
  @IsString()
  @Length(1, 64)
  plan?: string;

  /** When it ends; null for never. Default: when the key ends that makes it. */
  @ApiPropertyOptional({ type: 'string', format: 'date-time', nullable: true, example: null })
  @IsOptional()
  @IsString()
  expires_at?: string | null;
}

/** What can be changed of a key; what is left out stays. */
export class ChangeKeyBody {
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: MAX_KEY_NAME_LENGTH, example: 'CI' })
  @IsOptional()
  @IsString()
  @Length(1, MAX_KEY_NAME_LENGTH)
  name?: string;

  @ApiPropertyOptional({ enum: SCOPE_GRANTS, isArray: true, minItems: 1, example: ['workflows:read'] })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SCOPE_GRANTS.length)
  @IsIn(SCOPE_GRANTS, { each: true })
  scopes?: ScopeGrant[];

  @ApiPropertyOptional({ enum: KEY_ENVIRONMENTS })
  @IsOptional()
  @IsIn(KEY_ENVIRONMENTS)
  environment?: KeyEnvironment;

  @ApiPropertyOptional({ type: 'string', format: 'uuid', nullable: true })
  @IsOptional()
  @IsUUID()
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

  @ApiPropertyOptional({ type: 'string', format: 'date-time', nullable: true })
  @IsOptional()
  @IsString()
  expires_at?: string | null;
}

@BodyMayBeAbsent()
export class RotateKeyBody {
  /** How long the old key works on. */
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OVERLAP_SECONDS,
    default: 0,
    example: 3600,
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_OVERLAP_SECONDS)
  overlap_seconds?: number;
}

export class ListKeysQuery extends PageQuery {
  @ApiPropertyOptional({ enum: KEY_ENVIRONMENTS })
  @IsOptional()
  @IsIn(KEY_ENVIRONMENTS)
  environment?: KeyEnvironment;

  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  @IsOptional()
  @IsUUID()
  project_id?: string;

  /** Whose keys. Only admins and owners see keys of others. */
  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  @IsOptional()
  @IsUUID()
  user_id?: string;
}
