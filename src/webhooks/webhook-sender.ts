import { Inject, Injectable } from '@nestjs/common';
import { Encryption } from '../encryption/index.js';
import { EventSinks, type SinkResult } from '../event-sinks/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import type { DeliveryAttempt } from './delivery.js';
import { eventBody } from './event-body.js';
import { signedHeaders } from './signing.js';
import type { OutgoingEvent } from './stored-events.js';
import { sealContext, type Webhook } from './webhook.js';

/** Maximum time of a delivery attempt in milliseconds, including the response. */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/** Makes one attempt to send an event: signs the event, and passes it to the event sink for the scheme of the URL. */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly sinks: EventSinks,
    private readonly encryption: Encryption,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async send(webhook: Webhook, event: OutgoingEvent, stop: AbortSignal): Promise<DeliveryAttempt> {
    const at = this.clock.now();
    const begun = performance.now();
    const { error, statusCode, responseBody } = await this.attempt(webhook, event, at, stop);
    const durationMs = Math.round(performance.now() - begun);
    return { at: isoTime(at), statusCode, error, responseBody, durationMs };
  }

  /**
   * Returns the signed request for an event.
   * @param at time of the signature, in epoch milliseconds; default: now
   */
  async request(
    webhook: Webhook,
    { envelope, text, trace }: OutgoingEvent,
    at = this.clock.now(),
  ): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly body: string }> {
    const { contentType, body } = await eventBody(webhook.format, envelope, text);
    const signed = signedHeaders(this.secretsOf(webhook, at), envelope.id, at, body);
    return { headers: { 'content-type': contentType, ...signed, ...trace }, body };
  }

  private async attempt(
    webhook: Webhook,
    event: OutgoingEvent,
    at: number,
    stop: AbortSignal,
  ): Promise<SinkResult> {
    try {
      const url = new URL(webhook.url);
      const sink = this.sinks.of(url);
      if (sink === undefined)
        return failure(`No plug-in of this process supports ${url.protocol}// URLs. Check WORKFLOW_PLUGINS.`);
      const { headers, body } = await this.request(webhook, event, at);
      const signal = AbortSignal.any([stop, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
      const { id, type, execution_id: executionId } = event.envelope;
      return await sink.send({ url, id, type, executionId, headers, body }, signal);
    } catch (error) {
      return failure(error instanceof Error ? error.message : String(error));
    }
  }

  private secretsOf(webhook: Webhook, at: number): readonly string[] {
    const { id, secret, oldSecret, oldSecretUntil } = webhook;
    const isOverlap = oldSecret !== null && oldSecretUntil !== null && Date.parse(oldSecretUntil) > at;
    return [secret, ...(isOverlap ? [oldSecret] : [])].map((sealed) =>
      this.encryption.open(sealed, sealContext(id)),
    );
  }
}

function failure(error: string): SinkResult {
  return { error, statusCode: null, responseBody: null };
}
