import { Logger } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from './request-id.js';

/** Milliseconds after which a request is logged as slow. */
const SLOW_MS = 1000;

const HELD = Symbol('held');
const logger = new Logger('Http');

/** Marks a request that stays open on purpose, such as a stream or a wait, so that it is not logged as slow. */
export function holdOpen(request: IncomingMessage): void {
  (request as IncomingMessage & { [HELD]?: boolean })[HELD] = true;
}

/** A function that is called after each response. */
export type ResponseListener = (
  request: IncomingMessage,
  response: ServerResponse,
  durationMs: number,
) => void;

/** Logs a request that takes more than a second. Errors are not logged here: `ErrorFilter` logs them. */
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
