import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import type { Json, JsonObject } from '../expressions/index.js';
import { BodyMayBeAbsent } from '../http/index.js';
import { WorkflowItemsQuery } from '../workflows/index.js';
import {
  HOOK_ACTIONS,
  HOOK_METHODS,
  HOOK_RESPONSES,
  HOOK_STATUSES,
  type HookAction,
  type HookMethod,
  type HookResponse,
  type HookStatus,
} from './hook.js';
import {
  DEFAULT_TOLERANCE_SECONDS,
  HMAC_ALGORITHMS,
  type HmacAlgorithm,
  SIGNATURE_ENCODINGS,
  type SignatureEncoding,
  VERIFICATION_TYPES,
  type VerificationType,
} from './verification.js';

const SECRET_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;
/** Allowed format of the name of an HTTP header (RFC 9110). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
const MAX_TEMPLATE_LENGTH = 4_096;
const MAX_TOLERANCE_SECONDS = 86_400;
/** Maximum number of seconds that the old URL of a hook works after a rotation: 30 days. */
const MAX_OVERLAP_SECONDS = 2_592_000;

class VerificationBody {
  @ApiProperty({ enum: VERIFICATION_TYPES, example: 'github' })
  @IsIn(VERIFICATION_TYPES)
  type: VerificationType;

  /**
   * Name of the secret that the verification uses, in the project of the hook. For `basic`, the value of the secret is
   * `user:password`. Required for every type except `none`.
   */
  @ApiPropertyOptional({ type: 'string', pattern: SECRET_NAME.source, example: 'GITHUB_WEBHOOK_SECRET' })
  @IsOptional()
  @IsString()
  @Matches(SECRET_NAME)
  secret?: string;

  /**
   * Name of the header that contains the token or signature. Used only for `bearer` (default `Authorization`) and
   * `hmac` (default `X-Signature`).
   */
  @ApiPropertyOptional({ type: 'string', maxLength: 128, example: 'X-Signature' })
  @IsOptional()
  @IsString()
  @Matches(HEADER_NAME)
  header?: string;

  /** Hash algorithm of the signature. Used only for `hmac`. */
  @ApiPropertyOptional({ enum: HMAC_ALGORITHMS, default: 'sha256' })
  @IsOptional()
  @IsIn(HMAC_ALGORITHMS)
  algorithm?: HmacAlgorithm;

  /** Encoding of the signature in its header. Used only for `hmac`. */
  @ApiPropertyOptional({ enum: SIGNATURE_ENCODINGS, default: 'hex' })
  @IsOptional()
  @IsIn(SIGNATURE_ENCODINGS)
  encoding?: SignatureEncoding;

  /** Text in the header before the signature or token, such as `sha256=`. Used only for `hmac` and `bearer`. */
  @ApiPropertyOptional({ type: 'string', maxLength: 64, example: 'sha256=' })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  prefix?: string;

  /**
   * Maximum difference in seconds between the timestamp of the signature and the time of the service. Used only for
   * `stripe` and `standard_webhooks`.
   */
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_TOLERANCE_SECONDS,
    default: DEFAULT_TOLERANCE_SECONDS,
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_TOLERANCE_SECONDS)
  tolerance_seconds?: number;
}

class HookSignalBody {
  @ApiProperty({ type: 'string', maxLength: 128, example: 'payment_received' })
  @IsString()
  @Length(1, 128)
  name: string;

  /** Template for a deduplication key. The signal goes to the unfinished execution that has this key. */
  @ApiProperty({
    type: 'string',
    maxLength: MAX_TEMPLATE_LENGTH,
    example: 'order-{{ request.body.order_id }}',
  })
  @IsString()
  @Length(1, MAX_TEMPLATE_LENGTH)
  execution_key: string;
}

export class CreateHookBody {
  /**
   * Id of the project of the hook. Default: the project of the workflow, or without a workflow, the project of the API
   * key.
   */
  @ApiPropertyOptional({ type: 'string', format: 'uuid' })
  @IsOptional()
  @IsUUID()
  project_id?: string;

  /**
   * Id of the workflow that the hook starts or signals. Required for `start`. With `signal` and no workflow, the hook
   * signals executions of all workflows in the project.
   */
  @ApiPropertyOptional({ type: 'string', format: 'uuid', nullable: true })
  @IsOptional()
  @IsUUID()
  workflow_id?: string | null;

  @ApiPropertyOptional({ type: 'string', maxLength: 255, example: 'GitHub pushes' })
  @IsOptional()
  @IsString()
  @Length(1, 255)
  name?: string;

  @ApiPropertyOptional({ enum: HOOK_ACTIONS, default: 'start' })
  @IsOptional()
  @IsIn(HOOK_ACTIONS)
  action?: HookAction;

  @ApiPropertyOptional({ type: () => HookSignalBody, nullable: true })
  @IsOptional()
  @ValidateNested()
  @Type(() => HookSignalBody)
  signal?: HookSignalBody | null;

  @ApiPropertyOptional({ enum: HOOK_METHODS, isArray: true, default: ['POST'] })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(HOOK_METHODS.length)
  @ArrayUnique()
  @IsIn(HOOK_METHODS, { each: true })
  methods?: HookMethod[];

  /**
   * How the hook verifies that a request comes from the expected sender. With the default `none`, anyone who knows the
   * URL can call the hook.
   */
  @ApiPropertyOptional({ type: () => VerificationBody })
  @IsOptional()
  @ValidateNested()
  @Type(() => VerificationBody)
  verification?: VerificationBody;

  @ApiPropertyOptional({
    description:
      'Template for the input of the execution, or for the payload of the signal. The template can use `request.body`, `request.headers`, `request.query`, `request.method` and `request.raw`. Default: `{{ request.body }}`.',
    nullable: true,
    example: { order: '{{ request.body.order_id }}' },
  })
  @Allow()
  input?: Json;

  /**
   * Template for a key that identifies repeated requests. Of several requests with the same key within 7 days, only the
   * first has an effect. For `start`, the key is also the deduplication key of the execution.
   */
  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    maxLength: MAX_TEMPLATE_LENGTH,
    example: '{{ request.body.id }}',
  })
  @IsOptional()
  @IsString()
  @Length(1, MAX_TEMPLATE_LENGTH)
  deduplication?: string | null;

  /**
   * When the hook responds. `accepted`: after the commit of the start or signal. `output`: when the execution has
   * ended, but after 60 s at the latest.
   */
  @ApiPropertyOptional({ enum: HOOK_RESPONSES, default: 'accepted' })
  @IsOptional()
  @IsIn(HOOK_RESPONSES)
  respond?: HookResponse;
}

/** Changes of a hook. Omitted fields keep their values. */
export class ChangeHookBody extends OmitType(CreateHookBody, ['project_id', 'workflow_id', 'action']) {
  @ApiPropertyOptional({ enum: HOOK_STATUSES })
  @IsOptional()
  @IsIn(HOOK_STATUSES)
  status?: HookStatus;
}

@BodyMayBeAbsent()
export class RotateHookBody {
  /** Number of seconds for which the old URL of the hook continues to work. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_OVERLAP_SECONDS, default: 0 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_OVERLAP_SECONDS)
  overlap_seconds: number = 0;
}

/** A test request to a hook. The hook handles it like a request from the sender, but verifies no signature. */
@BodyMayBeAbsent()
export class TestHookBody {
  /** HTTP method of the test request. Default: the first method of the hook. */
  @ApiPropertyOptional({ enum: HOOK_METHODS })
  @IsOptional()
  @IsIn(HOOK_METHODS)
  method?: HookMethod;

  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' }, example: {} })
  @IsOptional()
  @IsObject()
  headers?: JsonObject;

  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' }, example: {} })
  @IsOptional()
  @IsObject()
  query?: JsonObject;

  @ApiPropertyOptional({
    description: 'Body of the test request: any JSON.',
    nullable: true,
    example: { order_id: 1 },
  })
  @Allow()
  body?: Json;
}

export class ListHooksQuery extends WorkflowItemsQuery {
  @ApiPropertyOptional({ enum: HOOK_STATUSES })
  @IsOptional()
  @IsIn(HOOK_STATUSES)
  status?: HookStatus;
}
