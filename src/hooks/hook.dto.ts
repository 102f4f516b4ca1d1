import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Matches,
} from 'class-validator';
import type { Json, JsonObject } from '../expressions/index.js';
import {
  Choice,
  OptionalChoice,
  OptionalId,
  OptionalInteger,
  OptionalNested,
  OptionalObject,
  OptionalText,
  Text,
} from '../fields/index.js';
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
  @Choice({ enum: VERIFICATION_TYPES, example: 'github' })
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
  @OptionalChoice({ enum: HMAC_ALGORITHMS, default: 'sha256' })
  algorithm?: HmacAlgorithm;

  /** Encoding of the signature in its header. Used only for `hmac`. */
  @OptionalChoice({ enum: SIGNATURE_ENCODINGS, default: 'hex' })
  encoding?: SignatureEncoding;

  /** Text in the header before the signature or token, such as `sha256=`. Used only for `hmac` and `bearer`. */
  @OptionalText({ maxLength: 64, example: 'sha256=' })
  prefix?: string;

  /**
   * Maximum difference in seconds between the timestamp of the signature and the time of the service. Used only for
   * `stripe` and `standard_webhooks`.
   */
  @OptionalInteger({ minimum: 1, maximum: MAX_TOLERANCE_SECONDS, default: DEFAULT_TOLERANCE_SECONDS })
  tolerance_seconds?: number;
}

class HookSignalBody {
  @Text({ minLength: 1, maxLength: 128, example: 'payment_received' })
  name: string;

  /** Template for a deduplication key. The signal goes to the unfinished execution that has this key. */
  @Text({ minLength: 1, maxLength: MAX_TEMPLATE_LENGTH, example: 'order-{{ request.body.order_id }}' })
  execution_key: string;
}

export class CreateHookBody {
  /**
   * Id of the project of the hook. Default: the project of the workflow, or without a workflow, the project of the API
   * key.
   */
  @OptionalId()
  project_id?: string;

  /**
   * Id of the workflow that the hook starts or signals. Required for `start`. With `signal` and no workflow, the hook
   * signals executions of all workflows in the project.
   */
  @OptionalId({ nullable: true })
  workflow_id?: string | null;

  @OptionalText({ minLength: 1, maxLength: 255, example: 'GitHub pushes' })
  name?: string;

  @OptionalChoice({ enum: HOOK_ACTIONS, default: 'start' })
  action?: HookAction;

  @OptionalNested(() => HookSignalBody, { nullable: true })
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
  @OptionalNested(() => VerificationBody)
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
  @OptionalText({
    minLength: 1,
    maxLength: MAX_TEMPLATE_LENGTH,
    nullable: true,
    example: '{{ request.body.id }}',
  })
  deduplication?: string | null;

  /**
   * When the hook responds. `accepted`: after the commit of the start or signal. `output`: when the execution has
   * ended, but after 60 s at the latest.
   */
  @OptionalChoice({ enum: HOOK_RESPONSES, default: 'accepted' })
  respond?: HookResponse;
}

/** Changes of a hook. Omitted fields keep their values. */
export class ChangeHookBody extends OmitType(CreateHookBody, ['project_id', 'workflow_id', 'action']) {
  @OptionalChoice({ enum: HOOK_STATUSES })
  status?: HookStatus;
}

@BodyMayBeAbsent()
export class RotateHookBody {
  /** Number of seconds for which the old URL of the hook continues to work. */
  @OptionalInteger({ minimum: 0, maximum: MAX_OVERLAP_SECONDS, default: 0 })
  overlap_seconds: number = 0;
}

/** A test request to a hook. The hook handles it like a request from the sender, but verifies no signature. */
@BodyMayBeAbsent()
export class TestHookBody {
  /** HTTP method of the test request. Default: the first method of the hook. */
  @OptionalChoice({ enum: HOOK_METHODS })
  method?: HookMethod;

  @OptionalObject({ additionalProperties: { type: 'string' }, example: {} })
  headers?: JsonObject;

  @OptionalObject({ additionalProperties: { type: 'string' }, example: {} })
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
  @OptionalChoice({ enum: HOOK_STATUSES })
  status?: HookStatus;
}
