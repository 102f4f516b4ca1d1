import { Inject } from '@nestjs/common';
import type { Dispatcher } from 'undici';
import {
  type NodeContext,
  NodeFailure,
  type NodeResult,
  type NodeType as NodeTypeContract,
  output,
} from '../../node-contract/index.js';
import { NodeType } from '../../nodes/index.js';
import { EffectHeldError } from '../../instances/index.js';
import { EgressAgent } from './egress-agent.js';
import { exchangeFailure, invalidJson, statusFailure } from './http-failure.js';
import { redirectOf } from './http-redirect.js';
import { buildRequest, type HttpParameters, type HttpRequest } from './http-request.js';
import { type HttpResponse, parseBody, plainHeaders, readBody, responseJson } from './http-response.js';
import { HTTP_OUTPUT_SCHEMA, HTTP_SCHEMA } from './http.schema.js';

/** Injection token: default timeout of an `http` node in milliseconds, including redirects. */
export const HTTP_TIMEOUT_MS = Symbol('HTTP_TIMEOUT_MS');

const MAX_REDIRECTS = 5;
const DEFAULT_MAX_RESPONSE_BYTES = 1_048_576;
/**
 * Maximum number of bytes that are read from the body of a redirect. A connection can be reused only after the body has
 * been read.
 */
const REDIRECT_BODY_BYTES = 16_384;

/** Sends a request to a public server, or to a server that `EGRESS_ALLOW` lists. */
@NodeType({
  type: 'http',
  version: 1,
  title: 'HTTP request',
  description: 'Calls a URL and returns the status, headers and body of the response.',
  schema: HTTP_SCHEMA,
  outputSchema: HTTP_OUTPUT_SCHEMA,
  capabilities: { cacheableOnRequest: true },
})
export class HttpNode implements NodeTypeContract {
  constructor(
    private readonly agent: EgressAgent,
    @Inject(HTTP_TIMEOUT_MS) private readonly defaultTimeoutMs: number,
  ) {}

  /**
   * @throws NodeFailure `http_status_error`, `http_connection_error`, `http_timeout`, `egress_denied`,
   * `http_response_too_large`, `http_too_many_redirects`, `http_invalid_request`, `http_invalid_json` or
   * `http_invalid_encoding`.
   */
  async run({
    with: parameters,
    idempotencyKey,
    signal,
    timeoutMs,
    traceContext,
    reserveMemory,
  }: NodeContext<HttpParameters>): Promise<NodeResult> {
    const request = buildRequest(parameters, idempotencyKey, traceContext);
    // The run loop enforces a timeout from the node's definition by aborting `signal`. Only the default timeout needs a
    // signal of its own.
    const limitMs = timeoutMs ?? this.defaultTimeoutMs;
    const deadline = timeoutMs === null ? AbortSignal.timeout(limitMs) : signal;
    try {
      return output(
        responseJson(
          await this.exchange(request, parameters, AbortSignal.any([signal, deadline]), reserveMemory),
        ),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (!deadline.aborted || error instanceof NodeFailure) throw error;
      throw new NodeFailure(
        'http_timeout',
        `${request.url.origin} did not respond within ${limitMs / 1000} s. The node's timeout_seconds can raise this limit.`,
      );
    }
  }

  private async exchange(
    first: HttpRequest,
    parameters: HttpParameters,
    signal: AbortSignal,
    reserve: NodeContext['reserveMemory'],
  ): Promise<HttpResponse> {
    let request = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      try {
        const hop = await this.hop(request, parameters, signal, reserve);
        if (hop.kind === 'answer') return hop.response;
        request = hop.request;
      } catch (error) {
        throw signal.aborted ? error : exchangeFailure(error, request.url.origin);
      }
    }
    throw new NodeFailure(
      'http_too_many_redirects',
      `${first.url.origin} redirected more than ${MAX_REDIRECTS} times.`,
      {
        retryable: false,
      },
    );
  }

  private async hop(
    request: HttpRequest,
    parameters: HttpParameters,
    signal: AbortSignal,
    reserve: NodeContext['reserveMemory'],
  ): Promise<Hop> {
    const received = await this.send(request, signal);
    try {
      return await this.read(received, request, parameters, signal, reserve);
    } catch (error) {
      // Otherwise, the connection would stay open until the server has sent the rest of the body.
      received.body.on('error', () => undefined).destroy();
      throw error;
    }
  }

  private async read(
    { statusCode: status, headers: rawHeaders, body }: Dispatcher.ResponseData,
    request: HttpRequest,
    parameters: HttpParameters,
    signal: AbortSignal,
    reserve: NodeContext['reserveMemory'],
  ): Promise<Hop> {
    const headers = plainHeaders(rawHeaders);
    const isAccepted = accepts(parameters.accept_status ?? ['2xx'], status);
    const next = isAccepted ? null : redirectOf(request, status, textHeader(headers, 'location'));
    if (next !== null) {
      await body.dump({ limit: REDIRECT_BODY_BYTES, signal });
      return { kind: 'redirect', request: next };
    }
    const isBodiless = request.method === 'HEAD' || status === 204 || status === 304;
    const bytes = await readBody(
      body,
      isBodiless ? {} : headers,
      parameters.max_response_bytes ?? DEFAULT_MAX_RESPONSE_BYTES,
      reserve,
    );
    const parsed = isBodiless ? { value: null } : parseBody(bytes, textHeader(headers, 'content-type'));
    const response = { status, headers, body: parsed?.value ?? (parsed === null ? bytes.toString() : null) };
    if (!isAccepted) throw statusFailure(response);
    if (parsed === null) throw invalidJson(response, request.url.origin);
    return { kind: 'answer', response };
  }

  /**
   * Sends a request, and sends the request again if the server closed a reused connection. Resending is safe, because
   * no response had begun and unsafe methods carry an Idempotency-Key. While the process may have lost its leases, this
   * method waits before sending.
   */
  private async send(request: HttpRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    for (;;)
      try {
        return await this.sendOnce(request, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        if (error instanceof EffectHeldError) {
          await this.agent.effects.confirmed(signal);
          signal.throwIfAborted();
        } else if (!this.agent.connections.wasClosedIdle(error)) throw error;
      }
  }

  private sendOnce(
    { url, method, headers, body }: HttpRequest,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const response = this.agent.dispatcher().then((dispatcher) =>
      dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: [...headers].flat(),
        body,
        signal,
      }),
    );
    // undici reacts to the abort signal only after the connection is established. The returned promise therefore
    // rejects directly when the signal aborts.
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal.reason as Error);
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      response.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    });
  }
}

type Hop =
  | { readonly kind: 'answer'; readonly response: HttpResponse }
  | { readonly kind: 'redirect'; readonly request: HttpRequest };

function textHeader(headers: HttpResponse['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function accepts(accepted: readonly (number | string)[], status: number): boolean {
  return accepted.some((entry) => entry === status || entry === `${Math.floor(status / 100)}xx`);
}
