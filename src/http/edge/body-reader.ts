import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyFormat, decodedBody, inflated, isCompressed } from './body-decoding.js';
import { PayloadTooLargeError, ServiceError } from '../../errors/index.js';
import { holdBodyFault } from './held-fault.js';
import { requestTimeout } from './http-parser-errors.js';

export interface BodyReaderOptions {
  /** Maximum length of a request body in bytes. The limit applies before and after decompression. */
  readonly limitBytes: number;
  /** URL paths that accept bodies as URL-encoded forms in addition to JSON. */
  readonly formPaths: ReadonlySet<string>;
  /** URL path prefix of requests whose body is not parsed. Their handlers get the bytes of the body. */
  readonly rawPrefix?: string | undefined;
}

/** A request whose body has been read. `body` is undefined if the request has no body. */
interface ReadRequest extends IncomingMessage {
  body?: Readonly<Record<string, unknown>> | Buffer;
}

type Next = (error?: unknown) => void;

/**
 * Maximum number of bytes of a too large body that are received and discarded. Some clients read the response only
 * after they have sent the whole body.
 */
const MAX_DROPPED_BYTES = 8 * 1024 * 1024;
const MAX_DROPPING_MS = 5000;

/** Milliseconds in which a body must arrive. Each 16 received bytes extend this time by one millisecond. */
const BODY_MS = 8_000;
const BYTES_PER_MS = 16;

/**
 * Express middleware that reads and parses request bodies with less CPU time than the parser of Express. If a
 * body cannot be read or parsed, the middleware stores the error in the request. `InputGuard` throws the
 * stored error after the authentication.
 */
export function bodyReader(
  options: BodyReaderOptions,
): (request: ReadRequest, response: ServerResponse, next: Next) => void {
  return (request, response, next) => {
    if (!hasBody(request)) return next();
    readBytes(request, options.limitBytes, (bytes) => {
      if (bytes === 'late') {
        holdBodyFault(request, requestTimeout());
        response.setHeader('Connection', 'close');
        next();
      } else if (bytes === 'too_large') {
        holdBodyFault(request, new PayloadTooLargeError(options.limitBytes));
        dropRest(request, response, options.limitBytes, next);
      } else if (bytes.length === 0) next();
      else if (isCompressed(request.headers))
        void decodeCompressed(request, bytes, options).then(() => next(), next);
      else {
        decode(request, bytes, options);
        next();
      }
    });
  };
}

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false;
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : length !== '0';
}

/** Reads the body of a request. `done` gets `too_large` or `late` if the body is too large or arrives too slowly. */
function readBytes(
  request: IncomingMessage,
  limitBytes: number,
  done: (bytes: Buffer | 'too_large' | 'late') => void,
): void {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return done('too_large');
  const chunks: Buffer[] = [];
  const refuse = (fault: 'too_large' | 'late'): void => {
    leave();
    request.off('data', take).off('end', finish);
    done(fault);
  };
  const arriving = { startedAt: performance.now(), length: 0, giveUp: () => refuse('late') };
  const take = (chunk: Buffer): void => {
    arriving.length += chunk.length;
    if (arriving.length <= limitBytes) chunks.push(chunk);
    else refuse('too_large');
  };
  const finish = (): void => {
    leave();
    const [first] = chunks;
    done(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, arriving.length));
  };
  const leave = (): void => slowBodies.delete(arriving);
  slowBodies.add(arriving);
  // After `end` or `close`, no more data arrives, so these listeners need not be removed.
  request.on('data', take).on('end', finish).on('close', leave);
}

/** A body of which only a part has been received. */
interface ArrivingBody {
  readonly startedAt: number;
  readonly length: number;
  readonly giveUp: () => void;
}

/**
 * Gives up request bodies that arrive too slowly. All bodies share one timer, because one timer per body would cost 3 %
 * of a request's CPU time.
 */
class SlowBodies {
  private readonly arriving = new Set<ArrivingBody>();
  private timer: NodeJS.Timeout | undefined;

  add(body: ArrivingBody): void {
    this.arriving.add(body);
    this.timer ??= this.timerFor(BODY_MS);
  }

  delete(body: ArrivingBody): void {
    this.arriving.delete(body);
  }

  private timerFor(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => this.giveUpLate(), delayMs).unref();
  }

  private giveUpLate(): void {
    const now = performance.now();
    let nextMs = Infinity;
    for (const body of this.arriving) {
      const leftMs = BODY_MS + body.length / BYTES_PER_MS - (now - body.startedAt);
      if (leftMs <= 0) body.giveUp();
      else nextMs = Math.min(nextMs, leftMs);
    }
    this.timer = nextMs === Infinity ? undefined : this.timerFor(nextMs);
  }
}

const slowBodies = new SlowBodies();

function decode(request: ReadRequest, bytes: Buffer, { formPaths, rawPrefix }: BodyReaderOptions): void {
  if (rawPrefix !== undefined && request.url?.startsWith(rawPrefix) === true) {
    request.body = bytes;
    return;
  }
  try {
    const formsToo = formPaths.size > 0 && formPaths.has((request.url ?? '').split('?', 1)[0] ?? '');
    request.body = decodedBody(bytes, bodyFormat(request.headers['content-type'], formsToo));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    holdBodyFault(request, error);
  }
}

async function decodeCompressed(
  request: ReadRequest,
  bytes: Buffer,
  options: BodyReaderOptions,
): Promise<void> {
  try {
    const plain = await inflated(bytes, request.headers['content-encoding'] ?? '', options.limitBytes);
    if (plain.length > 0) decode(request, plain, options);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    holdBodyFault(request, error);
  }
}

/**
 * Receives and discards the rest of a body that is too large. Many clients read the response only after sending the
 * whole body.
 */
function dropRest(request: IncomingMessage, response: ServerResponse, limitBytes: number, next: Next): void {
  const giveUp = (): void => {
    response.setHeader('Connection', 'close');
    settle();
  };
  const settle = (): void => {
    clearTimeout(timer);
    request.off('data', count).off('end', settle).off('close', settle);
    next();
  };
  let dropped = 0;
  const count = (chunk: Buffer): void => {
    dropped += chunk.length;
    if (dropped > MAX_DROPPED_BYTES) giveUp();
  };
  const timer = setTimeout(giveUp, MAX_DROPPING_MS);
  if (Number(request.headers['content-length'] ?? 0) > limitBytes + MAX_DROPPED_BYTES) return giveUp();
  request.on('data', count).on('end', settle).on('close', settle);
}
