import type { Request, Response } from 'express';
import { holdOpen } from '../http/index.js';
import type { Patience } from './executions.service.js';

/** Longest wait, in seconds. */
const MAX_WAIT = 60;

/**
 * How long a request is ready to wait for an execution's end: `?wait=N`, or the preference `wait=N` (RFC 7240),
 * of which the answer says what was applied: no more than 60 seconds. Null where it does not wait.
 */
export function patienceOf(request: Request, response: Response, wait: number | undefined): Patience | null {
  const preferred = wait === undefined ? preferredWait(request.get('Prefer')) : undefined;
  const seconds = wait ?? preferred ?? 0;
  if (preferred !== undefined) response.set('Preference-Applied', `wait=${preferred}`);
  if (seconds === 0) return null;
  holdOpen(request);
  const gone = new AbortController();
  response.once('close', () => {
    // It closes after every answer; only one that was not given is nobody's any more.
    if (!response.writableFinished) gone.abort();
  });
  return { ms: seconds * 1_000, signal: gone.signal };
}

function preferredWait(header: string | undefined): number | undefined {
  const text = /(?:^|[,;\s])wait\s*=\s*"?(\d+)"?/i.exec(header ?? '')?.[1];
  return text === undefined ? undefined : Math.min(Number(text), MAX_WAIT);
}
