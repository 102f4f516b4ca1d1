import { DiscoveryService } from '@nestjs/core';
import { applyDecorators, Injectable } from '@nestjs/common';

/** An event as it is sent to an endpoint. */
export interface SinkMessage {
  readonly url: URL;
  /** Id of the event. Repeated deliveries have the same id, so that receivers can recognize them. */
  readonly id: string;
  readonly type: string;
  /** Id of the execution; null for a test event. */
  readonly executionId: string | null;
  /**
   * `webhook-id`, `webhook-timestamp`, `webhook-signature` and `content-type`. Also `traceparent` and `tracestate` if
   * the execution has a trace context.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SinkResult {
  /** Null if the receiver accepted the message; otherwise the reason. */
  readonly error: string | null;
  /** HTTP status; null if there was no HTTP response. Status 410 disables the webhook. */
  readonly statusCode: number | null;
  /** First 1,024 bytes of the response body; null if there was no response. */
  readonly responseBody: string | null;
}

/** Sends messages to one kind of target. The caller is responsible for the order, the retries and the cursor. */
export interface EventSink {
  /** Why a webhook must not have this URL; null if the URL is allowed. */
  check(url: URL): string | null;

  /**
   * Sends one message. Resolves after the receiver has stored the message; a rejection counts as a failed attempt.
   * @param signal aborts after 15 seconds
   */
  send(message: SinkMessage, signal: AbortSignal): Promise<SinkResult>;
}

export interface EventSinkDescription {
  /** URL schemes without the colon, such as `https`. */
  readonly schemes: readonly string[];
}

export const EventSinkMetadata = DiscoveryService.createDecorator<EventSinkDescription>();

/**
 * Registers a class as the sink for webhooks whose URL has one of the schemes. The class may be a provider of any
 * module.
 */
export function Sink(
  description: EventSinkDescription,
): (target: new (...injected: never[]) => EventSink) => void {
  return applyDecorators(EventSinkMetadata(description), Injectable());
}
