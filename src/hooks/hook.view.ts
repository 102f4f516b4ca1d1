import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Json } from '../expressions/index.js';
import {
  type Delivery,
  DELIVERY_OUTCOMES,
  DELIVERY_SOURCES,
  type DeliveryOutcome,
  type DeliverySource,
  type Hook,
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
  HMAC_ALGORITHMS,
  type HmacAlgorithm,
  SIGNATURE_ENCODINGS,
  type SignatureEncoding,
  type Verification,
  VERIFICATION_TYPES,
  type VerificationType,
} from './verification.js';

const ID_EXAMPLE = '0199a8c0-6666-7abc-8def-0123456789ab';

class HookSignalView {
  @ApiProperty({ type: 'string', example: 'payment_received' })
  name: string;

  @ApiProperty({ type: 'string', example: 'order-{{ request.body.order_id }}' })
  execution_key: string;
}

class VerificationView {
  @ApiProperty({ enum: VERIFICATION_TYPES, example: 'github' })
  type: VerificationType;

  @ApiPropertyOptional({ type: 'string', example: 'GITHUB_WEBHOOK_SECRET' })
  secret?: string;

  @ApiPropertyOptional({ type: 'string' })
  header?: string;

  @ApiPropertyOptional({ enum: HMAC_ALGORITHMS })
  algorithm?: HmacAlgorithm;

  @ApiPropertyOptional({ enum: SIGNATURE_ENCODINGS })
  encoding?: SignatureEncoding;

  @ApiPropertyOptional({ type: 'string' })
  prefix?: string;

  @ApiPropertyOptional({ type: 'integer' })
  tolerance_seconds?: number;
}

export class HookView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  project_id: string;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: ID_EXAMPLE })
  workflow_id: string | null;

  @ApiProperty({ type: 'string', example: 'GitHub pushes' })
  name: string;

  @ApiProperty({ enum: HOOK_ACTIONS, example: 'start' })
  action: HookAction;

  @ApiProperty({ type: () => HookSignalView, nullable: true, example: null })
  signal: HookSignalView | null;

  @ApiProperty({ enum: HOOK_METHODS, isArray: true, example: ['POST'] })
  methods: readonly HookMethod[];

  @ApiProperty({ type: () => VerificationView })
  verification: VerificationView;

  @ApiProperty({ description: 'Any JSON.', nullable: true, example: '{{ request.body }}' })
  input: Json;

  @ApiProperty({ type: 'string', nullable: true, example: null })
  deduplication: string | null;

  @ApiProperty({ enum: HOOK_RESPONSES, example: 'accepted' })
  respond: HookResponse;

  @ApiProperty({ enum: HOOK_STATUSES, example: 'active' })
  status: HookStatus;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  last_delivery_at: string | null;

  /** First characters of the hook's URL, by which you recognize the URL. */
  @ApiProperty({ type: 'string', example: 'https://workflows.example.com/hooks/whk_Ab3d' })
  url_prefix: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;
}

/** A hook with its URL. Only the response to a creation or rotation contains the URL. */
export class HookWithUrlView extends HookView {
  /**
   * URL of the hook. Anyone who knows the URL can call the hook. Absent in the response to a repeated request with the
   * same `Idempotency-Key`.
   */
  @ApiPropertyOptional({
    type: 'string',
    example: 'https://workflows.example.com/hooks/whk_Ab3dEXAMPLE_EXAMPLE_EXAMPLE_EX',
  })
  url?: string;
}

export class DeliveryView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  received_at: string;

  @ApiProperty({ type: 'string', example: 'POST' })
  method: string;

  @ApiProperty({ type: 'string', example: '203.0.113.7' })
  address: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'application/json' })
  content_type: string | null;

  @ApiProperty({ type: 'integer', example: 512 })
  size_bytes: number;

  /** Source of the delivery. `test` means a request to `POST /v1/hooks/{id}/test`. */
  @ApiProperty({ enum: DELIVERY_SOURCES, example: 'sender' })
  source: DeliverySource;

  @ApiProperty({ enum: DELIVERY_OUTCOMES, example: 'started' })
  outcome: DeliveryOutcome;

  /**
   * HTTP status when the delivery was recorded: 202, or the status of the error if the delivery was refused. With
   * `respond: output`, the response follows later and may have another status.
   */
  @ApiProperty({ type: 'integer', example: 202 })
  status: number;

  /** Error code of a refused delivery. Null if the delivery was not refused. */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  code: string | null;

  /** Why the delivery was refused. Null if the delivery was not refused. */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  reason: string | null;

  /** Key that identifies repeated deliveries. Null if the delivery has no key. */
  @ApiProperty({ type: 'string', nullable: true, example: 'webhook-id:msg_1' })
  key: string | null;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: ID_EXAMPLE })
  execution_id: string | null;
}

export class AcceptedDeliveryView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  execution_id: string;
}

export function hookView(hook: Hook, urlPrefix: string): HookView {
  const { signal } = hook;
  return {
    id: hook.id,
    project_id: hook.projectId,
    workflow_id: hook.workflowId,
    name: hook.name,
    action: hook.action,
    signal: signal === null ? null : { name: signal.name, execution_key: signal.executionKey },
    methods: hook.methods,
    verification: verificationView(hook.verification),
    input: hook.input,
    deduplication: hook.deduplication,
    respond: hook.respond,
    status: hook.status,
    last_delivery_at: hook.lastDeliveryAt,
    url_prefix: urlPrefix,
    created_at: hook.createdAt,
    updated_at: hook.updatedAt,
  };
}

export function deliveryView(delivery: Delivery): DeliveryView {
  return {
    id: delivery.id,
    received_at: delivery.receivedAt,
    method: delivery.method,
    address: delivery.address,
    content_type: delivery.contentType,
    size_bytes: delivery.sizeBytes,
    source: delivery.source,
    outcome: delivery.outcome,
    status: delivery.status,
    code: delivery.code,
    reason: delivery.reason,
    key: delivery.key,
    execution_id: delivery.executionId,
  };
}

function verificationView(verification: Verification): VerificationView {
  return { ...verification };
}
