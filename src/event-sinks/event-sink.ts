import { DiscoveryService } from '@nestjs/core';
import { applyDecorators, Injectable } from '@nestjs/common';

/** One event on its way to an endpoint. */
export interface SinkMessage {
  readonly url: URL;
  /** Id of the event: equal for every repetition. */
  readonly id: string;
  readonly type: string;
  /** Null for a test event. */
  readonly executionId: string | null;
  /**
   * `webhook-id`, `webhook-timestamp`, `webhook-signature` and `content-type`; `traceparent` and `tracestate` of the
   * execution, if there is one.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SinkResult {
  /** Null if the message was accepted; else why it was not. */
  readonly error: string | null;
  /** HTTP status, where there is one. 410 disables the webhook. */
  readonly statusCode: number | null;
  /** At most 1,024 bytes. */
  readonly responseBody: string | null;
}

/** Where events go. The deliverer decides on order, retries and cursor; a sink sends one message. */
export interface EventSink {
  /** Why a webhook cannot have this URL; null if it can. */
  check(url: URL): string | null;

  /**
   * Sends one message. It resolves once the message is durable at the receiver; a rejection counts as a failed attempt.
   * @param signal aborts after 15 seconds
   */
  send(message: SinkMessage, signal: AbortSignal): Promise<SinkResult>;
}

export interface EventSinkDescription {
  /** URL schemes without the colon, such as `https`. */
  readonly schemes: readonly string[];
}

export const EventSinkMetadata = DiscoveryService.createDecorator<EventSinkDescription>();

/** Makes a class the sink of webhooks whose URL has one of the schemes. Any module may provide it. */
export function Sink(
  description: EventSinkDescription,
): (target: new (...injected: never[]) => EventSink) => void {
  return applyDecorators(EventSinkMetadata(description), Injectable());
}
