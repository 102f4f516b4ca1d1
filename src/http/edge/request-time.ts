import { Logger } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from './request-id.js';

/** A request that takes longer than this number of milliseconds is logged as slow. */
const SLOW_MS = 1000;

const HELD = Symbol('held');
const logger = new Logger('Http');

/**
 * Marks a request that stays open on purpose, such as a stream. Marked requests are not logged as slow and not counted
 * in metrics.
 */
export function holdOpen(request: IncomingMessage): void {
  (request as IncomingMessage & { [HELD]?: boolean })[HELD] = true;
}

export type ResponseListener = (
  request: IncomingMessage,
  response: ServerResponse,
  durationMs: number,
) => void;

/** Measures the duration of a request. Logs slow requests, but not errors, which `ErrorFilter` logs. */
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
