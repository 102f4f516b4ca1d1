/** Starts benchmark programs of other engines, which serve the HTTP routes of `program.ts`. */
import { startServer } from '../server-process.ts';
import type { Call, Running } from './contender.ts';
import { LIGHT_STEPS } from './work.ts';

/**
 * @param url base URL of the routes
 * @param route path of each call
 */
export function callsOf(
  url: string,
  route: (name: 'three' | 'chain' | 'parallel' | 'leave') => string,
): Pick<Running, 'three' | 'chain' | 'parallel'> & { readonly leave: Call } {
  const call = (path: string, isRight: (output: unknown) => boolean): Call => ({
    url,
    path,
    headers: {},
    body: (n) => JSON.stringify({ n }),
    check: (status, body) => {
      if (status < 200 || status > 299 || !isRight(JSON.parse(body)))
        throw new Error(`${path} returned ${status}: ${body}`);
    },
  });
  const isLight = (output: unknown): boolean => Array.isArray(output) && output.length === LIGHT_STEPS;
  return {
    three: call(route('three'), (output) => typeof output === 'string' && output.startsWith('result ')),
    chain: call(route('chain'), isLight),
    parallel: call(route('parallel'), isLight),
    leave: call(route('leave'), () => true),
  };
}

/**
 * Starts the benchmark program of an engine.
 * @param pids ids of the database processes that the program uses
 */
export async function startProgram(
  script: string,
  environment: Readonly<Record<string, string>>,
  pids: readonly number[],
): Promise<Running> {
  const server = await startServer(['--no-deprecation', script], environment);
  return {
    ...callsOf(server.url, (name) => `/${name}`),
    completed: () => completedOf(server.url),
    pids: [server.pid, ...pids],
    stop: () => server.stop(),
  };
}

export async function completedOf(url: string): Promise<number> {
  return (await (await fetch(`${url}/completed`)).json()) as number;
}
