import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DELIVERY_STATUSES, type Delivery, type DeliveryStatus } from './delivery.js';
import {
  WEBHOOK_FORMATS,
  WEBHOOK_STATUSES,
  type Webhook,
  type WebhookFormat,
  type WebhookStatus,
} from './webhook.js';

const ID_EXAMPLE = '019aaf3e-3c1c-7c34-9f6e-0f2a3b4c5d6e';
const TIME_EXAMPLE = '2026-11-24T08:00:00.000Z';

export class WebhookView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  project_id: string;

  @ApiProperty({ type: 'string', format: 'uri', example: 'https://example.com/events' })
  url: string;

  @ApiProperty({ type: 'string', example: 'Orders to the warehouse' })
  description: string;

  @ApiProperty({ type: [String], example: ['workflow.completed', 'workflow.failed'] })
  events: readonly string[];

  @ApiProperty({ type: [String], nullable: true, example: null })
  workflow_ids: readonly string[] | null;

  @ApiProperty({ type: 'string', nullable: true, example: null })
  filter: string | null;

  @ApiProperty({ enum: WEBHOOK_FORMATS, example: 'envelope' })
  format: WebhookFormat;

  @ApiProperty({ enum: WEBHOOK_STATUSES, example: 'active' })
  status: WebhookStatus;

  /** Why the service disabled the webhook. Null if the webhook is not disabled. */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  status_reason: string | null;

  /** Time of the first failed attempt since the last successful attempt. Null if the last attempt succeeded. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  failing_since: string | null;

  /** Number of events of the project that the webhook has not yet handled. */
  @ApiProperty({ type: 'integer', example: 0 })
  lag_events: number;

  @ApiProperty({ type: 'integer', example: 1204 })
  delivered_total: number;

  /** Number of events that the service gave up after their last attempt failed. */
  @ApiProperty({ type: 'integer', example: 0 })
  failed_total: number;

  @ApiProperty({ type: 'string', format: 'date-time', example: TIME_EXAMPLE })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: TIME_EXAMPLE })
  updated_at: string;
}

/** A webhook with its new signing secret, which is shown only once. */
export class NewWebhookView extends WebhookView {
  /** The signing secret, shown only once. Responses to repeated requests omit the secret. */
  @ApiPropertyOptional({ type: 'string', example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
  secret?: string;
}

export class WebhookDeliveryAttemptView {
  @ApiProperty({ type: 'string', format: 'date-time', example: TIME_EXAMPLE })
  at: string;

  /** HTTP status of the response. Null if the endpoint sent no response. */
  @ApiProperty({ type: 'integer', nullable: true, example: 200 })
  status_code: number | null;

  /** Why the attempt failed. Null if the attempt succeeded. */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  error: string | null;

  /** The first 1,024 bytes of the response body. Null if the endpoint sent no response. */
  @ApiProperty({ type: 'string', nullable: true, example: 'ok' })
  response_body: string | null;

  @ApiProperty({ type: 'integer', example: 42 })
  duration_ms: number;
}

export class WebhookDeliveryView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  webhook_id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  event_id: string;

  @ApiProperty({ type: 'string', example: 'workflow.completed' })
  event_type: string;

  /** Id of the event's execution. Null for a test event. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, example: ID_EXAMPLE })
  execution_id: string | null;

  @ApiProperty({ enum: DELIVERY_STATUSES, example: 'delivered' })
  status: DeliveryStatus;

  @ApiProperty({ type: () => [WebhookDeliveryAttemptView] })
  attempts: readonly WebhookDeliveryAttemptView[];

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  next_attempt_at: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', example: TIME_EXAMPLE })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: TIME_EXAMPLE })
  updated_at: string;
}

export class WebhookDeliveryRequestView {
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers: Readonly<Record<string, string>>;

  @ApiProperty({ type: 'string', example: '{"type":"workflow.completed"}' })
  body: string;
}

export class WebhookDeliveryDetailView extends WebhookDeliveryView {
  /** The last request that the service sent for the event. Null if retention has deleted the event. */
  @ApiProperty({ type: () => WebhookDeliveryRequestView, nullable: true })
  request: WebhookDeliveryRequestView | null;
}

export type WebhookFields = { readonly [Field in keyof WebhookView]: WebhookView[Field] };
export type NewWebhookFields = { readonly [Field in keyof NewWebhookView]: NewWebhookView[Field] };
export type DeliveryFields = { readonly [Field in keyof WebhookDeliveryView]: WebhookDeliveryView[Field] };

export function webhookView(webhook: Webhook, lagEvents: number): WebhookFields {
  return {
    id: webhook.id,
    project_id: webhook.projectId,
    url: webhook.url,
    description: webhook.description,
    events: webhook.events,
    workflow_ids: webhook.workflowIds,
    filter: webhook.filter,
    format: webhook.format,
    status: webhook.status,
    status_reason: webhook.statusReason,
    failing_since: webhook.failingSince,
    lag_events: lagEvents,
    delivered_total: webhook.deliveredTotal,
    failed_total: webhook.failedTotal,
    created_at: webhook.createdAt,
    updated_at: webhook.updatedAt,
  };
}

export function deliveryView(delivery: Delivery): DeliveryFields {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    execution_id: delivery.executionId,
    status: delivery.status,
    attempts: delivery.attempts.map(({ at, statusCode, error, responseBody, durationMs }) => ({
      at,
      status_code: statusCode,
      error,
      response_body: responseBody,
      duration_ms: durationMs,
    })),
    next_attempt_at: delivery.nextAttemptAt,
    created_at: delivery.createdAt,
    updated_at: delivery.updatedAt,
  };
}
