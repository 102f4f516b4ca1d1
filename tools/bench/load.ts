/**
 * HTTP load generator. It has several clients, and each client waits for its response before it sends its next request.
 * The clients use undici, because `node:http` takes twice the CPU time.
 */
import { Client } from 'undici';
import { ROUNDS } from './size.ts';

export interface Load {
  /** Base URL of the server. If there are several URLs, each client sends all its requests to one of them. */
  readonly url: string | readonly string[];
  /** Path of each request, or a function that returns the path for the index of a request, from 0. */
  readonly path: string | ((index: number) => string);
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the body of the POST request with the given index. If absent, all requests are GET requests. */
  readonly body?: (index: number) => string;
  readonly clients: number;
  readonly requests: number;
  /** Time in seconds after which the clients start no further request. */
  readonly seconds?: number;
  /** Checks a response, and throws if the response is not as expected. */
  readonly check: (status: number, body: string) => void;
}

export interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly count: number;
}

export async function run(load: Load): Promise<Figures> {
  const urls = [load.url].flat();
  const latencies: number[] = [];
  const begun = performance.now();
  const until = begun + (load.seconds ?? Infinity) * 1_000;
  let index = 0;
  const client = async (url: string): Promise<void> => {
    const connection = new Client(url);
    while (index < load.requests && performance.now() < until) {
      const sent = performance.now();
      await ask(load, connection, index++);
      latencies.push(performance.now() - sent);
    }
    await connection.close();
  };
  const urlsOfClients = Array.from({ length: load.clients }, (_, number) => urls[number % urls.length] ?? '');
  await Promise.all(urlsOfClients.map(client));
  const elapsed = (performance.now() - begun) / 1_000;
  const at = (share: number): number => round(quantile(latencies, share));
  return {
    perSecond: Math.round(latencies.length / elapsed),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    count: latencies.length,
  };
}

function ask(load: Load, connection: Client, index: number): Promise<void> {
  const path = typeof load.path === 'string' ? load.path : load.path(index);
  const body = load.body?.(index);
  const request =
    body === undefined
      ? { path, method: 'GET' as const, headers: load.headers }
      : {
          path,
          method: 'POST' as const,
          headers: { ...load.headers, 'content-type': 'application/json' },
          body,
        };
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    connection.dispatch(request, {
      onRequestStart: () => undefined,
      onResponseStart: (_, code) => void (status = code),
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd: () => {
        try {
          load.check(status, Buffer.concat(chunks).toString());
          resolve();
        } catch (error) {
          reject(error);
        }
      },
      onResponseError: (_, error) => reject(error),
    });
  });
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

export function median<T>(rounds: readonly T[], of: (one: T) => number): number {
  return quantile(rounds.map(of), 0.5);
}

/**
 * Repeats a measurement `ROUNDS` times.
 * @returns the median of each numeric field in the results
 */
export async function inRounds<Row extends object>(
  measure: () => Promise<Row>,
): Promise<Row & { readonly rounds: number }> {
  const rows: Row[] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) rows.push(await measure());
  return { ...medians(rows), rounds: ROUNDS };
}

/** Returns the median of each numeric field in results of the same shape, including nested fields. */
export function medians<Row extends object>(rows: readonly Row[]): Row {
  return middleOf(rows) as Row;
}

function middleOf(values: readonly unknown[]): unknown {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length > 0) return median(numbers, (number) => number);
  const [first] = values;
  if (typeof first !== 'object' || first === null) return first;
  return Object.fromEntries(
    Object.keys(first).map((name) => [
      name,
      middleOf(values.map((value) => (value as Readonly<Record<string, unknown>>)[name])),
    ]),
  );
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
