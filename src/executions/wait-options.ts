import type { Request, Response } from 'express';
import { holdOpen } from '../http/index.js';
import type { WaitOptions } from './executions.service.js';

const MAX_WAIT = 60;

/**
 * Reads from a request how long it waits for the end of an execution: `?wait=N`, or the header `Prefer: wait=N` (RFC
 * 7240). Sets the response header `Preference-Applied` if the wait comes from `Prefer`. Returns null if the request
 * does not wait.
 */
export function waitOptionsOf(
  request: Request,
  response: Response,
  wait: number | undefined,
): WaitOptions | null {
  const preferred = wait === undefined ? preferredWait(request.get('Prefer')) : undefined;
  const seconds = wait ?? preferred ?? 0;
  if (preferred !== undefined) response.set('Preference-Applied', `wait=${preferred}`);
  if (seconds === 0) return null;
  holdOpen(request);
  const disconnected = new AbortController();
  response.once('close', () => {
    // Node.js emits `close` after every response. The client has disconnected only if the response is incomplete.
    if (!response.writableFinished) disconnected.abort();
  });
  return { ms: seconds * 1_000, signal: disconnected.signal };
}

function preferredWait(header: string | undefined): number | undefined {
  const text = /(?:^|[,;\s])wait\s*=\s*"?(\d+)"?/i.exec(header ?? '')?.[1];
  return text === undefined ? undefined : Math.min(Number(text), MAX_WAIT);
}
