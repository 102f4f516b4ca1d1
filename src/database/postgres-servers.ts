import { Logger } from '@nestjs/common';
import { serverUrls } from '../settings/index.js';

/** Maximum wait for the response of one server, in milliseconds. The search then ignores this server. */
export const PROBE_MS = 2_000;

/** Minimum time between two searches, in milliseconds. */
const APART_MS = 100;

export interface ProbedServer {
  readonly isWritable: boolean;
  /**
   * Eight hexadecimal digits; null for a standby, or if the server does not report its timeline.
   */
  readonly timeline: string | null;
}

/**
 * @throws Error that says why the server cannot be used
 */
export type ServerProbe = (url: string) => Promise<ProbedServer>;

/** Thrown when no server of a URL accepts writes; the message has a reason per server. */
export class NoWritableServerError extends Error {
  override readonly name = 'NoWritableServerError';
  /** PostgreSQL's `cannot_connect_now`, which counts as a temporary outage. */
  readonly code = '57P03';
}

/** Thrown when a connection leads to a server that does not accept writes. */
export class NotWritableError extends Error {
  override readonly name = 'NotWritableError';
  readonly code = '57P03';

  constructor(host: string) {
    super(`${host} is a standby or read-only; looking for the server that accepts writes.`);
  }
}

/**
 * Finds the server that accepts writes among a primary and its standbys. All pools share one
 * object, so that they switch to a promoted standby together.
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

  /** URL of the server that accepted writes at the last search. */
  get url(): string {
    return this.current;
  }

  /**
   * Concurrent callers share one search.
   * @throws NoWritableServerError
   */
  async find(): Promise<void> {
    this.search ??= this.searched().finally(() => {
      this.search = null;
      this.searchedAt = performance.now();
    });
    await this.search;
  }

  /** Called after a connection failed, because a standby may have been promoted. Never rejects. */
  suspect(): void {
    if (performance.now() - this.searchedAt < APART_MS) return;
    // An error of this search is ignored, because the next connection searches again and reports the reason.
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
    // A promotion starts a new timeline, so writable servers on older timelines are former
    // primaries.
    const [best] = writable.toSorted((a, b) => rank(b).localeCompare(rank(a)));
    if (best === undefined)
      throw new NoWritableServerError(
        `No server accepts writes: ${found.map(({ url, reason }) => `${hostOf(url)} ${reason}`).join('; ')}`,
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
