/**
 * Benchmarks the execution page of the dashboard in Chromium: latency of live events, frame rate, and time to open a
 * long execution.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { loadAverage, longFramesPercent, rateOf, signedIn, spending } from './browser.ts';
import { quantile, round } from './load.ts';
import { type BenchedService, CHROMIUM, startService } from './service.ts';

/**
 * Duration of the HTTP call in each step, in milliseconds. The execution runs 20 chains of steps in parallel, so it
 * emits about 200 events a second.
 */
const STEP_MS = 180;
const AT_ONCE = 20;
const STEPS = 400;
const MEASURED_MS = 3_000;
const REST_MS = 1_000;
const IDLE_MS = 2_000;
/** Name of the signal that starts the steps of the measured execution. */
const START = 'go';
const GATE = { id: 'gate', type: 'wait', with: { signal: START } };
const EVENTS = 5_000;
interface Live {
  readonly page: string;
  readonly events_per_second: number;
  /** Milliseconds from the timestamp of an event to the frame that shows the event. */
  readonly event_to_pixel_ms: { readonly p50: number; readonly p95: number; readonly most: number };
  readonly frames_per_second: number;
  readonly frames_per_second_at_rest: number;
  readonly long_frames_percent: number;
  /** CPU time of the page's main thread in milliseconds per second. `of_that_rendering` is the part for rendering. */
  readonly main_thread_ms_per_second: number;
  readonly of_that_rendering: number;
  /**
   * CPU time of the page's main thread while no events arrive, in milliseconds per second. The measurement itself
   * causes this CPU time.
   */
  readonly main_thread_ms_per_second_at_rest: number;
  readonly main_thread_ms_per_event: number;
  /** CPU time of all browser processes in milliseconds per second. The browser renders without a GPU. */
  readonly browser_ms_per_second: number;
  /** CPU time of the service, which runs on the same machine as the browser, in milliseconds per second. */
  readonly service_ms_per_second: number;
  readonly load_average: number;
}

interface Opened {
  readonly page: string;
  readonly events: number;
  /** Milliseconds from the navigation until the page shows the whole execution. */
  readonly opened_ms: number;
  readonly main_thread_ms: number;
  readonly elements: number;
  /** Milliseconds from a key press to the frame that shows the middle of the execution. */
  readonly back_to_middle_ms: number;
  /** CPU time of the page's main thread after the last event, in milliseconds per second. */
  readonly idle_ms_per_second: number;
  readonly load_average: number;
}

export async function dashboard(): Promise<readonly (Live | Opened)[]> {
  const world = await startWorld();
  const address = `127.0.0.1:${(world.address() as AddressInfo).port}`;
  const service = await startService({ settings: { EGRESS_ALLOW: address } });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const url = `http://${address}/`;
    return [
      await live(service, browser, 'items of a loop', loopOf(url), '?node=each'),
      await live(service, browser, `graph of ${STEPS} nodes`, chainsOf(url), ''),
      await opened(service, browser),
    ];
  } finally {
    await browser.close();
    world.closeAllConnections();
    world.close();
    await service.stop();
  }
}

async function live(
  service: BenchedService,
  browser: Browser,
  name: string,
  nodes: readonly object[],
  search: string,
): Promise<Live> {
  const workflow = await service.post('/v1/workflows', { name, nodes, config: { max_concurrency: AT_ONCE } });
  // The first execution of a workflow also compiles it, so an unmeasured execution runs first.
  await runOnce(service, workflow.id);
  const { page, debug } = await signedIn(service, browser);
  const run = await service.post(`/v1/workflows/${workflow.id}/executions`, {});
  await page.goto(`${service.server.url}/dashboard/executions/${run.id}${search}`);
  await page.locator('[data-live-at]').waitFor();
  await page.locator('.react-flow__node').first().waitFor();
  await page.evaluate(WATCH);
  const spentAtRest = await spending(debug);
  await page.waitForTimeout(REST_MS);
  const { main: mainAtRest } = await spentAtRest();
  const { frames: atRest } = await page.evaluate<Watched>('stopWatching()');
  await service.post(`/v1/executions/${run.id}/signals/${START}`, {});
  await page.evaluate(WATCH);
  // The measurement starts after the duration of two steps, when the first steps of all chains have ended.
  await page.waitForTimeout(2 * STEP_MS);
  const spent = await spending(debug);
  const browserSpent = await browserSpending(browser);
  const serviceBefore = service.server.cpuMs();
  const begun = performance.now();
  await page.waitForTimeout(MEASURED_MS);
  const seconds = (performance.now() - begun) / 1_000;
  const serviceMs = service.server.cpuMs() - serviceBefore;
  const browserMs = await browserSpent();
  const { main, rendering } = await spent();
  const { shown, frames } = await page.evaluate<Watched>('stopWatching()');
  await page.context().close();
  const times = await timesOf(service, run.id);
  const [first] = shown;
  const last = shown.at(-1);
  if (first === undefined || last === undefined) throw new Error('The page did not show any event.');
  let sequence = first.sequence;
  const latencies = shown.slice(1).flatMap((frame) => {
    const from = sequence;
    sequence = frame.sequence;
    return Array.from({ length: sequence - from }, (_, index) => frame.at - (times[from + index] ?? 0));
  });
  const perSecond = (ms: number): number => round(ms / seconds);
  const eventsPerSecond = ((last.sequence - first.sequence) * 1_000) / (last.at - first.at);
  return {
    page: name,
    events_per_second: Math.round(eventsPerSecond),
    event_to_pixel_ms: {
      p50: round(quantile(latencies, 0.5)),
      p95: round(quantile(latencies, 0.95)),
      most: round(Math.max(...latencies)),
    },
    frames_per_second: rateOf(frames),
    frames_per_second_at_rest: rateOf(atRest),
    long_frames_percent: longFramesPercent(frames),
    main_thread_ms_per_second: perSecond(main),
    of_that_rendering: perSecond(rendering),
    main_thread_ms_per_second_at_rest: round((mainAtRest * 1_000) / REST_MS),
    main_thread_ms_per_event: round(main / seconds / eventsPerSecond),
    browser_ms_per_second: perSecond(browserMs),
    service_ms_per_second: perSecond(serviceMs),
    load_average: loadAverage(),
  };
}

async function runOnce(service: BenchedService, workflowId: string): Promise<void> {
  const { id } = await service.post(`/v1/workflows/${workflowId}/executions`, {});
  await service.post(`/v1/executions/${id}/signals/${START}`, {});
  const isOver = async (): Promise<boolean> =>
    (await service.get<{ readonly status: string }>(`/v1/executions/${id}`)).status === 'completed';
  while (!(await isOver())) await pause(200);
}

async function opened(service: BenchedService, browser: Browser): Promise<Opened> {
  const items = Math.round(EVENTS / 2);
  const workflow = await service.post('/v1/workflows', {
    name: 'many events',
    nodes: [
      {
        id: 'each',
        type: 'foreach',
        with: {
          items: '{{ input.numbers }}',
          nodes: [{ id: 'keep', type: 'set', with: { value: '{{ item }}' } }],
        },
      },
    ],
  });
  const numbers = Array.from({ length: items }, (_, index) => index);
  const run = await service.post<{ readonly id: string; readonly last_sequence: number }>(
    `/v1/workflows/${workflow.id}/execute?wait=60`,
    { input: { numbers } },
  );
  const { page, debug } = await signedIn(service, browser);
  const opening = await spending(debug);
  const begun = performance.now();
  await page.goto(`${service.server.url}/dashboard/executions/${run.id}?node=each`);
  await page.locator(`[data-live-at="${run.last_sequence}"]`).waitFor();
  await page.locator('.react-flow__node').first().waitFor();
  await page.getByText(`${items.toLocaleString('en')} of ${items.toLocaleString('en')} done`).waitFor();
  const openedMs = performance.now() - begun;
  const { main } = await opening();
  const elements = await page.locator('*').count();
  const middle = Math.round(run.last_sequence / 2);
  const backToMiddleMs = await page.evaluate<number>(goTo(middle));
  await page.waitForTimeout(1_000);
  const idling = await spending(debug);
  await page.waitForTimeout(IDLE_MS);
  const idle = await idling();
  await page.context().close();
  return {
    page: 'long run, from its start',
    events: run.last_sequence,
    opened_ms: round(openedMs),
    main_thread_ms: round(main),
    elements,
    back_to_middle_ms: round(backToMiddleMs),
    idle_ms_per_second: round((idle.main * 1_000) / IDLE_MS),
    load_average: loadAverage(),
  };
}

interface Watched {
  readonly shown: readonly { readonly sequence: number; readonly at: number }[];
  readonly frames: readonly number[];
}

/**
 * Script that runs in the measured page. For each frame, it records the time and the sequence number of the
 * newest event that the page shows.
 */
const WATCH = `(() => {
  const shown = [], frames = [], channel = new MessageChannel();
  const element = document.querySelector('[data-live-at]');
  let watching = true, last = performance.now();
  // A message that is sent during a frame arrives after this frame was painted.
  channel.port1.onmessage = () => {
    const sequence = Number(element.dataset.liveAt);
    if (sequence !== shown.at(-1)?.sequence) shown.push({ sequence, at: performance.timeOrigin + performance.now() });
  };
  const frame = (now) => {
    frames.push(now - last);
    last = now;
    channel.port2.postMessage(null);
    if (watching) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.stopWatching = () => { watching = false; return { shown, frames }; };
})()`;

/**
 * Returns a script for the measured page that moves the slider to the event with the number `sequence`. The script
 * resolves to the milliseconds until the browser has painted the page.
 */
function goTo(sequence: number): string {
  return `new Promise((done) => {
    const slider = document.querySelector('input[type=range]');
    const begun = performance.now();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(slider, '${sequence}');
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => done(performance.now() - begun);
      channel.port2.postMessage(null);
    });
  })`;
}

/**
 * Starts to measure the CPU time of all browser processes.
 * @returns a function that returns the CPU time so far, in milliseconds
 */
async function browserSpending(browser: Browser): Promise<() => Promise<number>> {
  const debug = await browser.newBrowserCDPSession();
  const sum = async (): Promise<number> => {
    const { processInfo } = await debug.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((ms, { cpuTime }) => ms + cpuTime * 1_000, 0);
  };
  const before = await sum();
  return async () => {
    const spent = (await sum()) - before;
    await debug.detach();
    return spent;
  };
}

async function timesOf({ server, headers }: BenchedService, id: string): Promise<readonly number[]> {
  const times: number[] = [];
  for (;;) {
    const url = `${server.url}/v1/executions/${id}/events?limit=100&after=${times.length}`;
    const { data } = (await (await fetch(url, { headers })).json()) as {
      readonly data: readonly { readonly created_at: string }[];
    };
    times.push(...data.map(({ created_at }) => Date.parse(created_at)));
    if (data.length < 100) return times;
  }
}

function loopOf(url: string): readonly object[] {
  const items = Array.from({ length: STEPS }, (_, index) => index);
  const body = [{ id: 'call', type: 'http', with: { url } }];
  return [
    GATE,
    { id: 'list', type: 'set', needs: ['gate'], with: { value: items } },
    {
      id: 'each',
      type: 'foreach',
      with: { items: '{{ nodes.list.output }}', max_concurrency: AT_ONCE, nodes: body },
    },
  ];
}

function chainsOf(url: string): readonly object[] {
  const steps = Array.from({ length: STEPS }, (_, index) => ({
    id: `n${index}`,
    type: 'http',
    with: { url },
    needs: [index < AT_ONCE ? 'gate' : `n${index - AT_ONCE}`],
  }));
  return [GATE, ...steps];
}

async function startWorld(): Promise<Server> {
  const server = createServer((_, response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'), STEP_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
