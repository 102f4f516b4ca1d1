import { DiscoveryService } from '@nestjs/core';
import { applyDecorators, Injectable } from '@nestjs/common';

export interface SinkMessage {
  readonly url: URL;
  /** Id of the message. A repeated delivery has the same id, so that receivers can discard duplicates. */
  readonly id: string;
  readonly type: string;
  /** Id of the execution to which the event belongs; null for a test event. */
  readonly executionId: string | null;
  /**
   * Headers of the request: `content-type` and those of the Standard Webhooks specification. If the execution has a
   * trace context, also `traceparent` and `tracestate`.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SinkResult {
  /** Why the delivery failed; null if the receiver accepted the message. */
  readonly error: string | null;
  /** HTTP status of the response; null without a response. The caller disables the webhook after status 410. */
  readonly statusCode: number | null;
  /** First 1,024 bytes of the response body; null without a response. */
  readonly responseBody: string | null;
}

/**
 * Sends messages to one kind of target. The caller keeps the order and the cursor of the events, and repeats failed
 * deliveries.
 */
export interface EventSink {
  /** Returns the reason why the sink refuses a URL; null if the sink accepts the URL. */
  check(url: URL): string | null;

  /**
   * Sends one message. If the receiver accepts the message, the result has no `error`. A rejected promise
   * also counts as a failed attempt.
   * @param signal aborts after 15 seconds
   */
  send(message: SinkMessage, signal: AbortSignal): Promise<SinkResult>;
}

export interface EventSinkDescription {
  /** URL schemes that the sink serves, without the colon, such as `https`. */
  readonly schemes: readonly string[];
}

export const EventSinkMetadata = DiscoveryService.createDecorator<EventSinkDescription>();

/**
 * Class decorator for an event sink. Webhooks whose URL has one of the schemes use the sink. The class may be a
 * provider of any Nest module.
 */
export function Sink(
  description: EventSinkDescription,
): (target: new (...injected: never[]) => EventSink) => void {
  return applyDecorators(EventSinkMetadata(description), Injectable());
}
