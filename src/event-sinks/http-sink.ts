import { isIP } from 'node:net';
import { Inject, type OnApplicationShutdown } from '@nestjs/common';
import type { Agent, Dispatcher } from 'undici';
import { EgressDeniedError, egressConnector, EgressPolicy } from '../node-types/index.js';
import { type Settings, SETTINGS } from '../settings/index.js';
import { type EventSink, Sink, type SinkMessage, type SinkResult } from './event-sink.js';

/** Maximum number of bytes of a response body that are stored with the delivery. */
const MAX_KEPT_BYTES = 1_024;
/**
 * Maximum number of bytes to read from a response body. A longer body closes the connection, because only a connection
 * whose response was read completely can be reused.
 */
const MAX_READ_BYTES = 65_536;
const MAX_CONNECTIONS = 64;

/** Sends the events of webhooks by HTTP POST to addresses that the egress policy allows. Follows no redirects. */
@Sink({ schemes: ['http', 'https'] })
export class HttpSink implements EventSink, OnApplicationShutdown {
  private readonly policy: EgressPolicy;
  private agent: Promise<Agent> | undefined;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.policy = new EgressPolicy(settings.EGRESS_ALLOW);
  }

  /**
   * Checks the URL of a webhook when the webhook is saved. A host name is not resolved here, because each delivery
   * resolves it and checks the resulting address.
   */
  check(url: URL): string | null {
    if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
    const hostname = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(hostname) === 0) return null;
    try {
      this.policy.check(hostname, portOf(url), hostname);
      return null;
    } catch (error) {
      if (error instanceof EgressDeniedError) return `cannot be called: ${error.message}`;
      throw error;
    }
  }

  async send({ url, headers, body }: SinkMessage, signal: AbortSignal): Promise<SinkResult> {
    try {
      const response = await (
        await this.dispatcher()
      ).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...headers, 'user-agent': 'workflow-service-webhooks/1' },
        body,
        signal,
      });
      const responseBody = await keptBody(response.body);
      const { statusCode } = response;
      const isAccepted = statusCode >= 200 && statusCode < 300;
      return {
        error: isAccepted ? null : `The endpoint responded with status ${statusCode}.`,
        statusCode,
        responseBody,
      };
    } catch (error) {
      return { error: reasonOf(error, signal), statusCode: null, responseBody: null };
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await (await this.agent)?.destroy();
  }

  /** Imports undici at the first delivery, so that a service without webhooks does not load the package. */
  private dispatcher(): Promise<Agent> {
    return (this.agent ??= import('undici').then(
      ({ Agent: UndiciAgent }) =>
        new UndiciAgent({
          connect: egressConnector(this.policy),
          connections: MAX_CONNECTIONS,
          allowH2: false,
          // The abort signal limits the duration of the whole request, so undici needs no timeouts of its own.
          headersTimeout: 0,
          bodyTimeout: 0,
        }),
    ));
  }
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

async function keptBody(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let read = 0;
  for await (const chunk of body) {
    const bytes = chunk as Buffer;
    if (keptBytes < MAX_KEPT_BYTES) {
      kept.push(bytes.subarray(0, MAX_KEPT_BYTES - keptBytes));
      keptBytes = Math.min(MAX_KEPT_BYTES, keptBytes + bytes.length);
    }
    read += bytes.length;
    if (read > MAX_READ_BYTES) break;
  }
  // PostgreSQL cannot store NUL characters, so each NUL is replaced with U+FFFD.
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '\uFFFD');
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof EgressDeniedError) return error.message;
  if (signal.aborted) return 'The endpoint did not respond within 15 seconds.';
  const code = error instanceof Error && 'code' in error ? String(error.code) : null;
  return `The connection to the endpoint failed: ${code ?? (error instanceof Error ? error.message : String(error))}.`;
}
