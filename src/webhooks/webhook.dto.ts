import { ApiPropertyOptional, OmitType, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsISO8601,
  IsOptional,
  IsRFC3339,
  IsString,
  IsUUID,
  MaxLength,
  MinLength,
} from 'class-validator';
import {
  IsInYears,
  OptionalBoolean,
  OptionalChoice,
  OptionalId,
  OptionalInteger,
  OptionalText,
  Text,
} from '../fields/index.js';
import { BodyMayBeAbsent } from '../http/index.js';
import { PageQuery, SearchedPageQuery } from '../pages/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery.js';
import { WEBHOOK_FORMATS, WEBHOOK_STATUSES, type WebhookFormat, type WebhookStatus } from './webhook.js';

const MAX_URL_LENGTH = 2_048;
const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_FILTER_LENGTH = 4_096;
const MAX_EVENTS = 50;
const MAX_WORKFLOWS = 100;
const MAX_OVERLAP_SECONDS = 604_800;
const MAX_CURSOR_LENGTH = 64;

export class CreateWebhookBody {
  /**
   * URL of the endpoint: `https` or `http`, on the public internet or allowed by `EGRESS_ALLOW`. Plug-ins may add
   * other schemes.
   */
  @Text({ maxLength: MAX_URL_LENGTH, format: 'uri', example: 'https://example.com/events' })
  url: string;

  /**
   * Id of the webhook's project. Default: the project of the key. If the key has no project, the oldest project of the
   * team.
   */
  @OptionalId()
  project_id?: string;

  @OptionalText({ maxLength: MAX_DESCRIPTION_LENGTH, example: 'Orders to the warehouse' })
  description?: string;

  /** Event types to send. `workflow.*` and `workflow.node.*` stand for all types with that prefix. */
  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: MAX_EVENTS,
    default: ['workflow.*'],
    example: ['workflow.completed', 'workflow.failed'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_EVENTS)
  @IsString({ each: true })
  events?: string[];

  /** Ids of the workflows whose events are sent; null for every workflow of the project. */
  @ApiPropertyOptional({
    type: [String],
    format: 'uuid',
    nullable: true,
    minItems: 1,
    maxItems: MAX_WORKFLOWS,
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_WORKFLOWS)
  @IsUUID(undefined, { each: true })
  workflow_ids?: string[] | null;

  /**
   * A CEL condition over `event`, the envelope. An event is not sent if the condition is false or cannot be evaluated.
   */
  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    minLength: 1,
    maxLength: MAX_FILTER_LENGTH,
    example: "event.type != 'workflow.failed' || event.data.status == 'timed_out'",
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_FILTER_LENGTH)
  filter?: string | null;

  /**
   * Format of the request body. `envelope` sends the same JSON as the WebSocket; `cloudevents` sends structured JSON of
   * CloudEvents 1.0.
   */
  @OptionalChoice({ enum: WEBHOOK_FORMATS, default: 'envelope' })
  format?: WebhookFormat;
}

/** The fields of a webhook to change. Omitted fields keep their values. */
export class ChangeWebhookBody extends PartialType(OmitType(CreateWebhookBody, ['project_id'])) {}

export class ListWebhooksQuery extends SearchedPageQuery {
  @OptionalId()
  project_id?: string;

  @OptionalChoice({ enum: WEBHOOK_STATUSES })
  status?: WebhookStatus;
}

export class ListDeliveriesQuery extends PageQuery {
  @OptionalChoice({ enum: DELIVERY_STATUSES })
  status?: DeliveryStatus;

  // Not `OptionalInstant`: the API reports `is_iso8601` here.
  @ApiPropertyOptional({ type: 'string', format: 'date-time' })
  @IsOptional()
  @IsRFC3339()
  @IsISO8601({ strict: true })
  @IsInYears()
  created_after?: string;
}

@BodyMayBeAbsent()
export class RotateSecretBody {
  /** Seconds for which the service signs deliveries with both the old and the new secret. */
  @OptionalInteger({ minimum: 0, maximum: MAX_OVERLAP_SECONDS, default: 86_400 })
  overlap_seconds: number = 86_400;
}

@BodyMayBeAbsent()
export class ResumeWebhookBody {
  /** Whether to skip the events that occurred while the webhook was not active. */
  @OptionalBoolean({ default: false })
  skip: boolean = false;
}

/** Where the replay starts. Exactly one of the fields `after` and `since` must be set. */
export class ReplayBody {
  /** Cursor of an event. The replay sends all later events again. */
  @OptionalText({ maxLength: MAX_CURSOR_LENGTH, example: '2s.1' })
  after?: string;

  /** Time from which the replay sends all events again. */
  // Not `OptionalInstant`: the API reports `is_iso8601` here.
  @ApiPropertyOptional({ type: 'string', format: 'date-time', example: '2026-11-24T00:00:00.000Z' })
  @IsOptional()
  @IsRFC3339()
  @IsISO8601({ strict: true })
  since?: string;
}
