import { Logger } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from './request-id.js';

/** Milliseconds after which a request is logged as slow. */
const SLOW_MS = 1000;

const HELD = Symbol('held');
const logger = new Logger('Http');

/** Marks a stream or a wait, so that the request is not logged as slow. */
export function holdOpen(request: IncomingMessage): void {
  (request as IncomingMessage & { [HELD]?: boolean })[HELD] = true;
}

export type ResponseListener = (
  request: IncomingMessage,
  response: ServerResponse,
  durationMs: number,
) => void;

/** Logs slow requests. `ErrorFilter` logs errors. */
export function timeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  listener?: ResponseListener,
): void {
  const start = performance.now();
  const path = request.url ?? '';
  response.on('finish', () => {
    const durationMs = performance.now() - start;
    if (HELD in request) return;
    listener?.(request, response, durationMs);
    if (durationMs < SLOW_MS) return;
    logger.warn({
      msg: 'A request was slow.',
      request_id: requestIdOf(request),
      method: request.method,
      path: path.split('?', 1)[0],
      status: response.statusCode,
      duration_ms: Math.round(durationMs),
    });
  });
}
