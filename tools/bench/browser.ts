/** Chromium for benchmarks of the dashboard: signs in, and measures frame rates and the CPU time of a page. */
import { loadavg } from 'node:os';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { round } from './load.ts';
import { type BenchedService, EMAIL, PASSWORD } from './service.ts';

/**
 * Duration of a long frame in milliseconds. At 60 frames per second, such a frame means that at least one frame was
 * dropped.
 */
const LONG_FRAME_MS = 25;

/** Returns the percentage of frames that took longer than `LONG_FRAME_MS`. */
export function longFramesPercent(frames: readonly number[]): number {
  return round((100 * frames.filter((ms) => ms > LONG_FRAME_MS).length) / frames.length);
}

export function rateOf(frames: readonly number[]): number {
  return round((frames.length * 1_000) / frames.reduce((sum, ms) => sum + ms, 0));
}

export function loadAverage(): number {
  return round(loadavg()[0] ?? 0);
}

export async function signedIn(
  { server }: BenchedService,
  browser: Browser,
): Promise<{ readonly page: Page; readonly debug: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 } });
  const answer = await context.request.post(`${server.url}/v1/auth/sign-in`, {
    data: { email: EMAIL, password: PASSWORD },
  });
  if (!answer.ok()) throw new Error(`The sign-in failed with the status ${answer.status()}.`);
  const page = await context.newPage();
  const debug = await context.newCDPSession(page);
  return { page, debug };
}

interface Spent {
  readonly main: number;
  readonly rendering: number;
}

const RENDERING: ReadonlySet<string> = new Set([
  'UpdateLayoutTree',
  'Layout',
  'PrePaint',
  'Paint',
  'Layerize',
  'Commit',
]);

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  /** Arguments of a trace event. In events of the type `thread_name`, `name` is the name of the thread. */
  readonly args?: { readonly name?: unknown };
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid} ${tid}`;
}

function isTraceEvent(value: unknown): value is TraceEvent {
  return typeof value === 'object' && value !== null && 'name' in value && 'pid' in value && 'tid' in value;
}

/**
 * Starts to measure the CPU time of the page's main thread. Unlike the frame rate, CPU time does not depend on other
 * load on the machine.
 * @returns a function that ends the measurement and returns the CPU time
 */
export async function spending(debug: CDPSession): Promise<() => Promise<Spent>> {
  const events: TraceEvent[] = [];
  const take = ({ value }: { readonly value: readonly unknown[] }): void => {
    for (const event of value) if (isTraceEvent(event)) events.push(event);
  };
  debug.on('Tracing.dataCollected', take);
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'];
  await debug.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  return async () => {
    const ended = new Promise((resolve) => debug.once('Tracing.tracingComplete', resolve));
    await debug.send('Tracing.end');
    await ended;
    debug.off('Tracing.dataCollected', take);
    const pages = new Set(events.filter(({ args }) => args?.name === 'CrRendererMain').map(threadOf));
    const own = events.filter((event) => pages.has(threadOf(event)));
    const sum = (fits: (name: string) => boolean): number =>
      outermost(own.filter(({ name }) => fits(name))).reduce((ms, { tdur = 0 }) => ms + tdur / 1_000, 0);
    return { main: sum((name) => name === 'RunTask'), rendering: sum((name) => RENDERING.has(name)) };
  };
}

/** Omits trace events inside other trace events, because the duration of the outer event includes them. */
function outermost(events: readonly TraceEvent[]): readonly TraceEvent[] {
  let end = 0;
  return events
    .toSorted((one, other) => one.ts - other.ts)
    .filter(({ ts, dur = 0 }) => {
      if (ts < end) return false;
      end = ts + dur;
      return true;
    });
}
