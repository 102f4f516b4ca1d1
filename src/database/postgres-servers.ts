import { Logger } from '@nestjs/common';
import { serverUrls } from '../settings/index.js';

/**
 * Maximum time in milliseconds to wait for the response of one server. The search for the writable server then skips
 * this server.
 */
export const PROBE_MS = 2_000;

/** Minimum time in milliseconds between two searches for the server that accepts writes. */
const MIN_SEARCH_GAP_MS = 100;

export interface ProbedServer {
  readonly isWritable: boolean;
  /**
   * Timeline of the PostgreSQL server, as eight hexadecimal digits. Null for a standby, and for servers that do not
   * report it.
   */
  readonly timeline: string | null;
}

/**
 * @throws Error that says why the server cannot be used
 */
export type ServerProbe = (url: string) => Promise<ProbedServer>;

/** Thrown when no server of a database URL accepts writes. The message contains the reason for each server. */
export class NoWritableServerError extends Error {
  override readonly name = 'NoWritableServerError';
  /** PostgreSQL error code `cannot_connect_now`, which the service treats as a temporary outage. */
  readonly code = '57P03';
}

/** Thrown when a new connection leads to a server that does not accept writes, such as a standby. */
export class NotWritableError extends Error {
  override readonly name = 'NotWritableError';
  readonly code = '57P03';

  constructor(host: string) {
    super(
      `The PostgreSQL server ${host} is a standby or read-only. The service looks for a server that accepts writes.`,
    );
  }
}

/**
 * Finds the server that accepts writes among a primary and its standbys. All connection pools of a process share one
 * object, so that all of them switch to a promoted standby.
 */
export class PostgresServers {
  private readonly logger = new Logger('Database');
  private readonly urls: readonly string[];
  private current: string;
  private search: Promise<void> | null = null;
  private searchedAt = Number.NEGATIVE_INFINITY;

  constructor(
    url: string,
    private readonly probe: ServerProbe,
  ) {
    this.urls = serverUrls(url);
    [this.current = url] = this.urls;
  }

  /**
   * URL of the server that accepted writes in the last search. Before the first search, the first server of the URL.
   */
  get url(): string {
    return this.current;
  }

  /**
   * Searches for the server that accepts writes. Concurrent callers share one search.
   * @throws NoWritableServerError
   */
  async find(): Promise<void> {
    this.search ??= this.searched().finally(() => {
      this.search = null;
      this.searchedAt = performance.now();
    });
    await this.search;
  }

  /**
   * Starts a new search in the background after a connection has failed, because a standby may have been promoted.
   * Never throws.
   */
  suspect(): void {
    if (performance.now() - this.searchedAt < MIN_SEARCH_GAP_MS) return;
    // An error of the search is ignored. The next connection attempt fails and reports the reason.
    this.find().catch(() => undefined);
  }

  private async searched(): Promise<void> {
    const found = await Promise.all(
      this.urls.map(async (url) => {
        try {
          return { url, ...(await this.probe(url)), reason: 'is a standby or read-only' };
        } catch (error) {
          return { url, isWritable: false, timeline: null, reason: `does not respond: ${messageOf(error)}` };
        }
      }),
    );
    const writable = found.filter(({ isWritable }) => isWritable);
    // A promotion starts a new timeline with a higher number. If several servers accept writes, those on older
    // timelines are former primaries.
    const [best] = writable.toSorted((a, b) => rank(b).localeCompare(rank(a)));
    if (best === undefined)
      throw new NoWritableServerError(
        `No PostgreSQL server accepts writes: ${found.map(({ url, reason }) => `${hostOf(url)} ${reason}`).join('; ')}`,
      );
    if (writable.length > 1)
      this.logger.error(
        `${writable.map(({ url }) => hostOf(url)).join(' and ')} accept writes. ${hostOf(best.url)} was promoted last, so the service uses it. Stop the other server, because its new data is lost.`,
      );
    if (best.url === this.current) return;
    this.current = best.url;
    this.logger.warn(`${hostOf(best.url)} accepts writes now. New connections go to this server.`);
  }
}

function rank({ timeline }: ProbedServer): string {
  return timeline ?? '';
}

export function hostOf(url: string): string {
  return new URL(url).host;
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
