import { DiscoveryService } from '@nestjs/core';
import { applyDecorators, Injectable } from '@nestjs/common';

export interface SinkMessage {
  readonly url: URL;
  /** Repeated deliveries have the same id, so that receivers can recognize them. */
  readonly id: string;
  readonly type: string;
  /** Null for a test event. */
  readonly executionId: string | null;
  /**
   * Standard Webhooks headers and `content-type`, with `traceparent` and `tracestate` if the
   * execution has a trace context.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SinkResult {
  /** Null if the receiver accepted the message. */
  readonly error: string | null;
  /** Null without an HTTP response. Status 410 disables the webhook. */
  readonly statusCode: number | null;
  /** First 1,024 bytes; null if there was no response. */
  readonly responseBody: string | null;
}

/** Sends messages to one kind of target. Order, retries and cursor are the caller's task. */
export interface EventSink {
  /** Why the URL is refused; null if the URL is allowed. */
  check(url: URL): string | null;

  /**
   * Resolves after the receiver has stored the message; a rejection counts as a failed attempt.
   * @param signal aborts after 15 seconds
   */
  send(message: SinkMessage, signal: AbortSignal): Promise<SinkResult>;
}

export interface EventSinkDescription {
  /** Without the colon, such as `https`. */
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
