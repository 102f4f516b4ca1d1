import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { type Write, Writer } from '../storage/index.js';
import { IdempotencyError } from '../http/index.js';
import type { IdempotencyEntity } from './idempotency.entity.js';
import { IdempotencyRepository } from './idempotency.repository.js';

/** How long a first answer is kept. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

/** A request that carries an `Idempotency-Key`. */
export interface IdempotentRequest {
  /** The caller: keys of different callers never meet. */
  readonly owner: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** The parsed body. */
  readonly body: unknown;
}

/** The answer that is remembered. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface Claimed {
  readonly id: string;
  readonly requestHash: string;
  /** The stored answer, where it is to be what the request is answered in the end. */
  text: string | null;
}

/** A key that a commit claims, as data: another process may be the one to commit. */
export interface KeyClaim {
  readonly row: IdempotencyEntity;
  /** ISO 8601; what was claimed before is forgotten. */
  readonly since: string;
}

/** Thrown inside a commit when another request claimed the key first; the request then replays that answer. */
export class KeyClaimedError extends Error {
  override readonly name = 'KeyClaimedError';
}

/**
 * Makes creating safe to repeat. The key is claimed in the very commit that creates, together with the
 * answer, so there is no moment at which one exists without the other.
 */
@Injectable()
export class Idempotency {
  private readonly requests = new AsyncLocalStorage<Claimed>();
  /** Keys whose first request runs in this process now. */
  private readonly running = new Set<string>();

  constructor(
    private readonly repository: IdempotencyRepository,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Writes that claim the key of the request under way for its answer; for the unit of work that creates.
   * None where the request carries no key.
   * @param isWhole false where the request is answered with more than this, which must not be stored: a secret
   * that is shown once; a repeated request is answered without it
   */
  claim(answer: Answer, isWhole = true): readonly Write[] {
    return this.writes(this.claimFor(answer, isWhole));
  }

  /** The same as data, for `writes`; null where the request carries no key. */
  claimFor(answer: Answer, isWhole = true): KeyClaim | null {
    const request = this.requests.getStore();
    if (request === undefined) return null;
    const now = this.clock.now();
    const body = JSON.stringify(answer.body);
    request.text = isWhole ? body : null;
    const row: IdempotencyEntity = {
      id: request.id,
      requestHash: request.requestHash,
      status: answer.status,
      headers: answer.headers,
      body,
      createdAt: isoTime(now),
    };
    return { row, since: isoTime(now - KEPT_MS) };
  }

  writes(claim: KeyClaim | null): readonly Write[] {
    if (claim === null) return [];
    return this.repository.claim(claim.row, claim.since, () => new KeyClaimedError());
  }

  /**
   * Runs a request, or gives the answer of the first one with its key.
   * @throws IdempotencyError when the key came with another request, or the first is still running.
   */
  async run<T>(
    request: IdempotentRequest,
    handle: () => Promise<T>,
  ): Promise<{ readonly replayed: Answer } | { readonly result: T }> {
    const id = digest([request.owner, request.method, request.path, request.key]);
    const requestHash = digest([request.body ?? null]);
    if (this.running.has(id)) throw new IdempotencyError('in_progress');
    this.running.add(id);
    try {
      const known = await this.replay(id, requestHash);
      if (known !== null) return { replayed: known };
      const claimed: Claimed = { id, requestHash, text: null };
      const result = await this.requests.run(claimed, handle);
      const text = JSON.stringify(result);
      if (claimed.text !== null && claimed.text !== text)
        await this.writer.commit({ writes: [this.repository.replaceBody(id, text)] });
      return { result };
    } catch (error) {
      if (!(error instanceof KeyClaimedError)) throw error;
      const first = await this.replay(id, requestHash);
      if (first === null) throw new IdempotencyError('in_progress');
      return { replayed: first };
    } finally {
      this.running.delete(id);
    }
  }

  private async replay(id: string, requestHash: string): Promise<Answer | null> {
    const known = await this.repository.find(id, isoTime(this.clock.now() - KEPT_MS));
    if (known === null) return null;
    if (known.requestHash !== requestHash) throw new IdempotencyError('reused');
    return { status: known.status, headers: known.headers, body: JSON.parse(known.body) as unknown };
  }
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
