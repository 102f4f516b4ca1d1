import { DiscoveryService } from '@nestjs/core';
import { applyDecorators, Injectable } from '@nestjs/common';

export interface SinkMessage {
  readonly url: URL;
  /** Id of the message. Repeated deliveries have the same id, so that receivers can recognize them. */
  readonly id: string;
  readonly type: string;
  /** Id of the execution of the event; null for a test event. */
  readonly executionId: string | null;
  /**
   * Standard Webhooks headers and `content-type`, with `traceparent` and `tracestate` if the
   * execution has a trace context.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SinkResult {
  /** Why the delivery failed; null if the receiver accepted the message. */
  readonly error: string | null;
  /** HTTP status of the response; null if there was none. Status 410 disables the webhook. */
  readonly statusCode: number | null;
  /** First 1,024 bytes of the response; null if there was none. */
  readonly responseBody: string | null;
}

/** Sends messages to one kind of target. Order, retries and cursor are the caller's task. */
export interface EventSink {
  /** Returns why the sink refuses a URL; null if the URL is allowed. */
  check(url: URL): string | null;

  /**
   * Resolves after the receiver has stored the message; a rejection counts as a failed attempt.
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
 * Registers a class as the target of webhooks whose URL has one of the schemes. The class may be a
 * provider of any module.
 */
export function Sink(
  description: EventSinkDescription,
): (target: new (...injected: never[]) => EventSink) => void {
  return applyDecorators(EventSinkMetadata(description), Injectable());
}
