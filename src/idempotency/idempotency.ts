import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { type Write, Writer } from '../storage/index.js';
import { IdempotencyError } from '../errors/index.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import type { KeyClaim, MadeResource, StoredResponse } from './key-claim.js';

const KEPT_MS = 24 * 60 * 60 * 1_000;

export interface IdempotentRequest {
  /** Id of the caller. Idempotency keys of different callers are independent. */
  readonly owner: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body: unknown;
}

/**
 * Outcome of a request with an idempotency key. `performed`: the request ran now. `replayed`: the response of the first
 * request was stored. `made`: the first request created the resource, but its response was not stored.
 */
export type Outcome<T> =
  | { readonly kind: 'performed'; readonly result: T }
  | { readonly kind: 'replayed'; readonly response: StoredResponse }
  | { readonly kind: 'made'; readonly resource: MadeResource };

interface RunningRequest {
  readonly id: string;
  readonly requestHash: string;
  resourceId: string | null;
}

/**
 * Thrown by a commit when another request has already claimed the idempotency key. The caller gets the response of the
 * other request.
 */
export class KeyClaimedError extends Error {
  override readonly name = 'KeyClaimedError';
}

/** Makes requests that create resources idempotent. The commit of the resource also claims the key. */
@Injectable()
export class Idempotency {
  private readonly logger = new Logger(Idempotency.name);
  private readonly requests = new AsyncLocalStorage<RunningRequest>();
  /** Digests of caller, method, path and key of the requests that are in progress in this process. */
  private readonly running = new Set<string>();

  constructor(
    private readonly repository: IdempotencyRepository,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Returns the writes that claim the idempotency key of the current request. The commit of the created resource must
   * include these writes. The list is empty if the request has no key.
   *
   * @param resourceId id of the created resource
   */
  claim(resourceId: string): readonly Write[] {
    const request = this.requests.getStore();
    if (request === undefined) return [];
    request.resourceId = resourceId;
    return this.repository.claim(this.claimOf(request), this.keptSince(), () => new KeyClaimedError());
  }

  /**
   * Performs a request and stores its response, or returns the outcome of an earlier request with the same key.
   *
   * @param responseOf returns the response to store
   * @throws IdempotencyError when the key was used with a different request body, or the first request is in progress
   */
  async run<T>(
    request: IdempotentRequest,
    perform: () => Promise<T>,
    responseOf: (result: T) => StoredResponse,
  ): Promise<Outcome<T>> {
    const id = digest([request.owner, request.method, request.path, request.key]);
    const requestHash = digest([request.body ?? null]);
    if (this.running.has(id)) throw new IdempotencyError('in_progress');
    this.running.add(id);
    try {
      const earlier = await this.earlier(id, requestHash);
      if (earlier !== null) return earlier;
      const current: RunningRequest = { id, requestHash, resourceId: null };
      const result = await this.requests.run(current, perform);
      await this.store(current, responseOf(result));
      return { kind: 'performed', result };
    } catch (error) {
      if (!(error instanceof KeyClaimedError)) throw error;
      const earlier = await this.earlier(id, requestHash);
      if (earlier === null) throw new IdempotencyError('in_progress');
      return earlier;
    } finally {
      this.running.delete(id);
    }
  }

  private async store(request: RunningRequest, response: StoredResponse): Promise<void> {
    try {
      const writes = this.repository.store(this.claimOf(request), response, this.keptSince());
      await this.writer.commit({ writes });
    } catch (error) {
      this.logger.warn(
        { err: error },
        'The response to a request with an Idempotency-Key could not be stored.',
      );
    }
  }

  private async earlier(
    id: string,
    requestHash: string,
  ): Promise<Exclude<Outcome<never>, { readonly kind: 'performed' }> | null> {
    const known = await this.repository.find(id, this.keptSince());
    if (known === null) return null;
    if (known.requestHash !== requestHash) throw new IdempotencyError('reused');
    const { resourceId, status, headers, body, createdAt } = known;
    if (status !== null && headers !== null && body !== null)
      return { kind: 'replayed', response: { status, headers, body } };
    if (resourceId === null)
      throw new Error('The stored Idempotency-Key refers to neither a response nor a resource.');
    return { kind: 'made', resource: { id: resourceId, madeAt: createdAt } };
  }

  private claimOf({ id, requestHash, resourceId }: RunningRequest): KeyClaim {
    return { id, requestHash, resourceId, createdAt: isoTime(this.clock.now()) };
  }

  private keptSince(): string {
    return isoTime(this.clock.now() - KEPT_MS);
  }
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
