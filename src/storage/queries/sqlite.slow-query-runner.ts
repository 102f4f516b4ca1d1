import { Worker } from 'node:worker_threads';
import { type FIRST, SlowQueryRunner, SlowQueryRefusedError } from './slow-query-runner.ts';
import { Corruption, SqliteError } from '../../database/index.ts';
import type { ReadOutcome, ReadRequest } from './sqlite-read.program.ts';

const ENDING = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** Maximum number of queries that wait for the thread. Each query may take seconds, so further queries are refused. */
const MAX_WAITING = 64;

/** Milliseconds without a query after which the thread ends, because an idle thread uses memory. */
const IDLE_MS = 300_000;

interface Asked {
  readonly request: ReadRequest;
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs slow queries on SQLite, one at a time, in a separate thread. In the main thread, a slow query would block all
 * other work.
 */
export class SqliteSlowQueryRunner extends SlowQueryRunner {
  /** Thread that runs the queries. Null while no thread runs; the next query starts one. */
  private thread: Worker | null = null;
  private underWay: Asked | null = null;
  private readonly first: Asked[] = [];
  private readonly waiting: Asked[] = [];
  private idle: NodeJS.Timeout | undefined;
  private closed = false;

  /**
   * @param path path of the existing database file
   *
   * @param idleMs idle time in milliseconds after which the thread ends
   * @param corruption recorder of corruption of the file
   */
  constructor(
    private readonly path: string,
    private readonly idleMs = IDLE_MS,
    private readonly corruption = new Corruption(),
  ) {
    super();
  }

  rows<Row>(sql: string, parameters: readonly unknown[], turn?: typeof FIRST): Promise<readonly Row[]> {
    if (this.closed) return Promise.reject(closing());
    const line = turn === undefined ? this.waiting : this.first;
    if (turn === undefined && line.length >= MAX_WAITING)
      return Promise.reject(
        new SlowQueryRefusedError(
          'Too many slow queries are waiting. Use a narrower filter, or try again later.',
          5,
        ),
      );
    return new Promise((resolve, reject) => {
      line.push({
        request: { sql, parameters },
        resolve: (rows) => resolve(rows as readonly Row[]),
        reject,
      });
      this.next();
    });
  }

  /**
   * Rejects all queries and ends the thread. Resolves only after the query in progress, because a query cannot be
   * interrupted.
   */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.idle);
    const { thread } = this;
    for (const { reject } of [...this.first.splice(0), ...this.waiting.splice(0)]) reject(closing());
    this.lose(closing());
    await thread?.terminate();
  }

  private next(): void {
    if (this.underWay !== null) return;
    const asked = this.first.shift() ?? this.waiting.shift();
    if (asked === undefined) return;
    clearTimeout(this.idle);
    this.underWay = asked;
    try {
      this.thread ??= this.startThread();
      this.thread.ref();
      this.thread.postMessage(asked.request);
    } catch (error) {
      // Either the thread could not start, or a parameter has a type that cannot be sent to a thread. Only this query
      // fails.
      this.settle({ message: error instanceof Error ? error.message : String(error), code: null });
    }
  }

  private startThread(): Worker {
    const thread = new Worker(new URL(`./sqlite-read.program.${ENDING}`, import.meta.url), {
      name: 'slow queries',
      workerData: this.path,
      execArgv: [],
    });
    thread.on('message', (outcome: ReadOutcome) => this.settle(outcome));
    const ended = (error: Error): void => {
      if (this.thread === thread) this.lose(error);
    };
    thread
      .on('error', ended)
      .on('exit', () => ended(new Error('The thread for slow queries exited unexpectedly.')));
    return thread;
  }

  private settle(outcome: ReadOutcome): void {
    const asked = this.underWay;
    this.underWay = null;
    // The thread must not keep the process alive while no query runs.
    this.thread?.unref();
    if ('rows' in outcome) asked?.resolve(outcome.rows);
    else {
      const error = new SqliteError(outcome.message, outcome.code);
      this.corruption.note(error);
      asked?.reject(error);
    }
    this.idle = setTimeout(() => void this.rest(), this.idleMs);
    this.idle.unref();
    this.next();
  }

  /** Rejects the query in progress after the thread has failed or was closed. The next query starts a new thread. */
  private lose(error: Error): void {
    const asked = this.underWay;
    this.thread = null;
    this.underWay = null;
    asked?.reject(error);
    this.next();
  }

  private async rest(): Promise<void> {
    const { thread } = this;
    this.thread = null;
    await thread?.terminate();
  }
}

function closing(): Error {
  return new SlowQueryRefusedError('The service is shutting down. Try again.', 1);
}
