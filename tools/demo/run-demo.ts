import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  blankPicture,
  canRedraw,
  type Display,
  displayOn,
  type Style,
  styleOf,
} from '../../src/display/index.js';
import { makeAccount } from './account.js';
import { demoWorkflow } from './demo-workflow.js';
import { Demonstration } from './demonstration.js';
import { type Key, listenToKeys } from './keys.js';
import { ServiceProcess } from './service-process.js';
import { openShop } from './shop.js';
import { verdictLines } from './verdict.js';

const USAGE_ERROR = 2;
const USAGE = `Usage: npm run demo [-- --kill]
  --kill   kill the server once while it runs, without a key press
`;
const KEYS = {
  meanwhile: '[o] open in the browser   [k] kill the server   [q] quit',
  atTheEnd: '[o] open in the browser   [q] quit',
} as const;

type Closing = () => void | Promise<void>;

/**
 * Runs the demo: shows an execution live, while the user may kill the server.
 * @returns exit code 0 if nothing was lost, or if the user quits before the end
 */
export async function runDemo(words: readonly string[]): Promise<number> {
  if (words.some((word) => word !== '--kill')) {
    process.stderr.write(USAGE);
    return USAGE_ERROR;
  }
  const closings: Closing[] = [];
  // Resources are closed only once, even if a signal arrives while the demo ends. Every caller waits for the same
  // promise.
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= closeAll(closings));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void close().finally(() => process.exit(128 + constants.signals[signal])));
  // Output to a closed terminal fails. The errors are ignored, because otherwise this process would exit before it has
  // stopped the service.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    return await show(words.includes('--kill'), closings);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    await close();
  }
}

/** Closes the resources in the reverse order of their creation, even if closing one of them fails. */
async function closeAll(closings: readonly Closing[]): Promise<void> {
  for (const closing of closings.toReversed())
    await Promise.resolve()
      .then(closing)
      .catch(() => undefined);
}

async function show(killsItself: boolean, closings: Closing[]): Promise<number> {
  const { stdin, stdout } = process;
  const style = styleOf(process.env, stdout.isTTY);
  const write = (text: string): boolean => stdout.write(text);
  const place = { screen: stdout.isTTY ? stdout : undefined, write, environment: process.env };
  // The demo waits for keys only if the terminal can show the key hints, which needs cursor control.
  const isInteractive = stdin.isTTY && canRedraw(place);
  const pace = isInteractive ? 3 : 1;
  const directory = await mkdtemp(join(tmpdir(), 'workflow-demo-'));
  closings.push(() => rm(directory, { recursive: true, force: true }));
  const shop = await openShop(pace);
  closings.push(() => shop.close());
  const settings = {
    DATA_DIR: directory,
    LOG_LEVEL: 'warn',
    EGRESS_ALLOW: `127.0.0.1:${shop.port}`,
    // The user may kill the server many times, so the limit on recoveries of an execution is raised.
    MAX_RECOVERIES: '100',
  };
  stdout.write('Starting the service with a temporary data directory.\n');
  const account = await makeAccount(directory, settings);
  const service = new ServiceProcess(directory, settings);
  closings.push(() => service.stop());
  const picture = blankPicture(demoWorkflow(shop.port, pace).nodes);
  const display = displayOn(place, picture, KEYS);
  closings.push(() => display.close());
  const demonstration = new Demonstration({ service, account, shop, display, killsItself, pace }, picture);
  closings.push(() => demonstration.close());
  const conclusion = conclude(demonstration, display, style);
  if (!isInteractive) return conclusion;
  const quit = new Promise<number>((resolve) => {
    const onKey = (key: Key): void => (key === 'quit' ? resolve(0) : demonstration.press(key));
    closings.push(listenToKeys(stdin, onKey));
  });
  // After an error, the demo ends at once. After a verdict, the result stays on the screen until the user quits.
  return Promise.race([quit, conclusion.then(async (code) => Math.max(code, await quit))]);
}

async function conclude(demonstration: Demonstration, display: Display, style: Style): Promise<number> {
  const verdict = await demonstration.run();
  display.conclude(verdictLines(verdict, style));
  return verdict.good ? 0 : 1;
}
