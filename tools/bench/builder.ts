/** Benchmarks the workflow builder in Chromium: frame rate while a node is dragged, and validation while typing. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { loadAverage, longFramesPercent, rateOf, signedIn, spending } from './browser.ts';
import { quantile, round } from './load.ts';
import { type BenchedService, CHROMIUM, startService } from './service.ts';
import { sized } from './size.ts';

const NODES = sized(200, 40);
const CHAINS = 20;
const REST_MS = sized(2_000, 500);
const DRAG_MS = sized(5_000, 1_000);
/** Milliseconds between two movements of the mouse, shorter than a frame, so that every frame has a movement. */
const MOVE_MS = 8;
const RADIUS_PX = 120;
const KEYS = sized(20, 3);

interface BuilderFigures {
  readonly nodes: number;
  readonly frames_per_second: number;
  readonly frames_per_second_at_rest: number;
  readonly long_frames_percent: number;
  /** CPU time of the page's main thread while a node is dragged, in milliseconds per second. */
  readonly main_thread_ms_per_second: number;
  /**
   * Milliseconds from a key press that makes an expression invalid to the frame in which the node shows the error
   * marker.
   */
  readonly key_to_marker_ms: { readonly p50: number; readonly most: number };
  readonly load_average: number;
}

export async function builder(): Promise<readonly BuilderFigures[]> {
  const service = await startService();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    return [await measured(service, browser)];
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function measured(service: BenchedService, browser: Browser): Promise<BuilderFigures> {
  const { id } = await service.post('/v1/workflows', { name: 'large', nodes: chains() });
  const { page, debug } = await signedIn(service, browser);
  await page.goto(`${service.server.url}/dashboard/workflows/${id}/edit`);
  const node = page.locator('[data-node="n0"]');
  await node.waitFor();
  await page.evaluate(WATCH);
  await page.waitForTimeout(REST_MS);
  const atRest = await page.evaluate<readonly number[]>('stopWatching()');

  const spent = await spending(debug);
  await page.evaluate(WATCH);
  const begun = performance.now();
  await drag(page, node);
  const seconds = (performance.now() - begun) / 1_000;
  const frames = await page.evaluate<readonly number[]>('stopWatching()');
  const { main } = await spent();

  const keys = await markerTimes(page, node);
  return {
    nodes: NODES,
    frames_per_second: rateOf(frames),
    frames_per_second_at_rest: rateOf(atRest),
    long_frames_percent: longFramesPercent(frames),
    main_thread_ms_per_second: round(main / seconds),
    key_to_marker_ms: { p50: round(quantile(keys, 0.5)), most: round(Math.max(...keys)) },
    load_average: loadAverage(),
  };
}

function chains(): readonly object[] {
  return Array.from({ length: NODES }, (_, index) => ({
    id: `n${index}`,
    type: 'set',
    with: { value: index },
    ...(index < CHAINS ? {} : { needs: [`n${index - CHAINS}`] }),
  }));
}

/** Drags a node in circles and releases it at its former position. */
async function drag(page: Page, node: Locator): Promise<void> {
  const box = await node.boundingBox();
  if (box === null) throw new Error('The page does not show the node to drag.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const begun = performance.now();
  while (performance.now() - begun < DRAG_MS) {
    const angle = (performance.now() - begun) / 200;
    await page.mouse.move(x + RADIUS_PX * (1 - Math.cos(angle)), y + RADIUS_PX * Math.sin(angle));
    await pause(MOVE_MS);
  }
  await page.mouse.move(x + RADIUS_PX, y + RADIUS_PX);
  const moved = await node.boundingBox();
  if (moved === null || moved.x === box.x) throw new Error('The node does not follow the mouse.');
  await page.mouse.move(x, y);
  await page.mouse.up();
}

/**
 * Measures how long validation takes: types a character that makes a condition invalid, waits for the error marker, and
 * removes the character.
 */
async function markerTimes(page: Page, node: Locator): Promise<readonly number[]> {
  // Dragging a node may move the view, and the page renders only nodes in the view, so the whole graph is shown again.
  await page.getByRole('button', { name: 'Fit the graph' }).click();
  await node.click();
  const condition = page.getByRole('textbox', { name: 'Condition' });
  await condition.click();
  await page.keyboard.type('true');
  const marker = node.getByLabel('1 problem');
  const times: number[] = [];
  for (let count = 0; count < KEYS; count += 1) {
    await page.evaluate(MARK);
    await page.keyboard.type('x');
    times.push(await page.evaluate<number>('marked'));
    await page.keyboard.press('Backspace');
    await marker.waitFor({ state: 'detached' });
  }
  return times;
}

/** Script that runs in the measured page and records the duration of each frame. */
const WATCH = `(() => {
  const frames = [];
  let watching = true, last = performance.now();
  const frame = (now) => {
    frames.push(now - last);
    last = now;
    if (watching) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  window.stopWatching = () => { watching = false; return frames; };
})()`;

/**
 * Script that runs in the measured page. The promise `marked` resolves to the milliseconds from the next key press to
 * the frame that shows an error marker.
 */
const MARK = `(() => {
  window.marked = new Promise((done) => {
    addEventListener('keydown', () => {
      const begun = performance.now();
      const frame = () => {
        if (document.querySelector('[data-node="n0"] [aria-label="1 problem"]') === null) return requestAnimationFrame(frame);
        const channel = new MessageChannel();
        // A message that is sent during a frame arrives after this frame was painted.
        channel.port1.onmessage = () => done(performance.now() - begun);
        channel.port2.postMessage(null);
      };
      requestAnimationFrame(frame);
    }, { once: true, capture: true });
  });
})()`;
