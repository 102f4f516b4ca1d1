import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { LongValue, type RecordedValue } from '../long-values/index.js';
import { CLOCK, type Clock, setAlarm } from '../platform/index.js';
import { type Settings, SETTINGS } from '../settings/index.js';
import type { RunnerOutcome } from '../execution-runner/index.js';
import { InstanceRegistry } from '../instances/index.js';
import { isUsable, type CachedResult, RecentResults } from './recent-results.js';
import { ResultRepository } from './result.repository.js';

/** Capacity of the in-memory cache, in characters of JSON. */
const RECENT_CHARACTERS = 16 * 1024 * 1024;

const DAY_MS = 24 * 3_600_000;

/** Milliseconds between two polls of the database for a result that another process computes. */
const POLL_MS = 100;

/**
 * Maximum milliseconds for which a node waits while another node computes the same result. A node that hangs must not
 * block the nodes that wait for its result.
 */
const MAX_WAIT_MS = 15_000;

export interface WantedResult {
  readonly key: string;
  readonly projectId: string;
  readonly maxAgeMs: number;
}

/**
 * Cache of node outputs by node type and input. Concurrent nodes with the same key compute a result only once: a claim
 * in the database also excludes other processes. If the cache fails, the node runs.
 */
@Injectable()
export class ResultCache {
  private readonly logger = new Logger(ResultCache.name);
  private readonly recent = new RecentResults(RECENT_CHARACTERS);
  /** Lookups and computations in progress, by key. A promise resolves to null if its lookup or computation
   * ends without a reusable result. */
  private readonly inProgress = new Map<string, Promise<CachedResult | null>>();

  constructor(
    @Inject(ResultRepository)
    private readonly repository: Pick<ResultRepository, 'claim' | 'find' | 'keep' | 'release'>,
    @Inject(InstanceRegistry) private readonly instance: Pick<InstanceRegistry, 'id'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'RETENTION_DAYS'>,
  ) {}

  peek({ key, maxAgeMs }: WantedResult): CachedResult | undefined {
    const known = this.recent.get(key);
    return known !== undefined && isUsable(known, maxAgeMs, this.clock.now()) ? known : undefined;
  }

  /**
   * Returns a cached result, or the result of a computation in progress. Otherwise runs `compute`.
   *
   * @param signal aborts waiting for the computation of another node or process
   * @param compute runs the node; must not reject
   */
  async reuse(
    wanted: WantedResult,
    signal: AbortSignal,
    compute: () => Promise<RunnerOutcome>,
  ): Promise<RunnerOutcome> {
    const waitUntil = this.clock.now() + MAX_WAIT_MS;
    for (;;) {
      const inProgress = this.inProgress.get(wanted.key);
      if (inProgress === undefined) return this.findOrCompute(wanted, signal, compute);
      if (this.clock.now() >= waitUntil) return compute();
      const result = await this.waitFor(inProgress, signal, waitUntil);
      if (signal.aborted) return compute();
      if (result !== null && isUsable(result, wanted.maxAgeMs, this.clock.now())) return reused(result);
    }
  }

  /** Resolves to the result of a computation; null if it has none, if the signal aborts, or at the time `until`. */
  private async waitFor(
    inProgress: Promise<CachedResult | null>,
    signal: AbortSignal,
    until: number,
  ): Promise<CachedResult | null> {
    const limit = new AbortController();
    const cancelLimit = setAlarm(this.clock, { at: until }, () => limit.abort());
    try {
      return await unlessAborted(inProgress, AbortSignal.any([signal, limit.signal]));
    } finally {
      cancelLimit();
    }
  }

  private async findOrCompute(
    wanted: WantedResult,
    signal: AbortSignal,
    compute: () => Promise<RunnerOutcome>,
  ): Promise<RunnerOutcome> {
    const { promise, resolve } = Promise.withResolvers<CachedResult | null>();
    this.inProgress.set(wanted.key, promise);
    let result: CachedResult | null = null;
    try {
      const { cached, claimed } = await this.findOrClaim(wanted, signal);
      result = cached;
      if (cached !== null) return reused(cached);
      const outcome = await compute();
      if (outcome.kind === 'output') result = this.keep(wanted, outcome.output);
      else if (claimed) this.logFailure(this.repository.release(wanted.key, this.instance.id));
      return outcome;
    } finally {
      this.inProgress.delete(wanted.key);
      resolve(result);
    }
  }

  private async findOrClaim(
    wanted: WantedResult,
    signal: AbortSignal,
  ): Promise<{ readonly cached: CachedResult | null; readonly claimed: boolean }> {
    const { key, projectId, maxAgeMs } = wanted;
    const deadline = performance.now() + MAX_WAIT_MS;
    try {
      for (;;) {
        const now = this.clock.now();
        const stored = await this.repository.find(key);
        if (stored !== undefined && isUsable(stored, maxAgeMs, now)) {
          this.recent.set(key, stored, stored.size);
          return { cached: stored, claimed: false };
        }
        if (await this.repository.claim(key, projectId, this.instance.id, now - maxAgeMs, now))
          return { cached: null, claimed: true };
        if (signal.aborted || performance.now() > deadline) break;
        await pause(POLL_MS);
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'The result cache could not be read; the node runs.');
    }
    return { cached: null, claimed: false };
  }

  /** Stores a result in memory, and in the database without waiting for the commit. */
  private keep({ key, projectId, maxAgeMs }: WantedResult, output: RecordedValue): CachedResult {
    const now = this.clock.now();
    // A cached output must not be kept longer than `RETENTION_DAYS`, because it is data of an execution.
    const keptMs = Math.min(maxAgeMs, this.settings.RETENTION_DAYS * DAY_MS);
    const result: CachedResult = { output: ownCopy(output), computedAt: now, expiresAt: now + keptMs };
    const text = textOf(output);
    this.recent.set(key, result, text.length);
    this.logFailure(this.repository.keep(key, projectId, result, text));
    return result;
  }

  private logFailure(write: Promise<void>): void {
    write.catch((error: unknown) => {
      this.logger.warn({ err: error }, 'A result could not be cached; later nodes compute it again.');
    });
  }
}

/**
 * Returns the outcome of an attempt that reuses a cached result. Long outputs are copied, because a `LongValue` belongs
 * to one execution.
 */
export function reused({ output }: CachedResult): RunnerOutcome {
  return { kind: 'output', output: ownCopy(output), cached: true };
}

function ownCopy(output: RecordedValue): RecordedValue {
  return output instanceof LongValue ? LongValue.ofText(textOf(output)) : output;
}

function textOf(output: RecordedValue): string {
  return output instanceof LongValue ? (output.text ?? 'null') : JSON.stringify(output);
}

/** Resolves to the value of the promise, or to null if the signal aborts first. */
function unlessAborted<T>(promise: Promise<T | null>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const abort = (): void => resolve(null);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
