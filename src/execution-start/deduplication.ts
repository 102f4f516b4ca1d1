import { Injectable } from '@nestjs/common';
import { type Answer, Idempotency } from '../idempotency/index.js';
import { Writer } from '../storage/index.js';
import {
  Cancellation,
  type Execution,
  ExecutionRepository,
  DuplicateExecutionError,
  ExecutionChangedError,
  ExecutionFinishedError,
  KeyHeldError,
  ExecutionLookupRepository,
  TooManyExecutionsError,
} from '../execution-store/index.js';
import { ExecutionStarts } from './execution-starts.js';
import type { PreparedExecution } from './prepared-execution.js';

/** What a start does where another execution of the workflow has its key and has not ended. */
export const ON_CONFLICTS = ['return_existing', 'fail', 'cancel_existing'] as const;
export type OnConflict = (typeof ON_CONFLICTS)[number];

export interface DeduplicationTerms {
  readonly key: string;
  readonly onConflict: OnConflict;
}

/** What a start came to. */
export interface KeyedStart {
  /** As the start is answered. */
  readonly execution: Execution;
  /** As it was written: begun, or even ended. */
  readonly written: Execution;
  readonly isNew: boolean;
}

/** Times that a start is tried again because the execution that was in its way ended meanwhile. */
const MAX_TRIES = 20;

/** Sees to it that of a workflow at most one execution with a key is under way; a unique index decides. */
@Injectable()
export class Deduplication {
  constructor(
    private readonly starts: ExecutionStarts,
    private readonly lookup: ExecutionLookupRepository,
    private readonly executions: ExecutionRepository,
    private readonly cancellation: Cancellation,
    private readonly idempotency: Idempotency,
    private readonly writer: Writer,
  ) {}

  /**
   * Writes a new execution, or finds the one that has its key.
   * @param terms null where it has no key
   * @param answer the answer, remembered for a repeated request
   * @throws DuplicateExecutionError when the terms say so.
   */
  async start(
    prepared: PreparedExecution,
    terms: DeduplicationTerms | null,
    answer: (started: { readonly execution: Execution; readonly isNew: boolean }) => Answer,
  ): Promise<KeyedStart> {
    let isReplacement = false;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      try {
        const { answered, written } = await this.starts.write(
          prepared,
          (own) => answer({ execution: own, isNew: true }),
          isReplacement,
        );
        return { execution: answered, written, isNew: true };
      } catch (error) {
        const isFull = error instanceof TooManyExecutionsError;
        if (!(error instanceof KeyHeldError || isFull) || terms === null) throw error;
        const holder = await this.lookup.findByKey(prepared.execution.workflowId, terms.key);
        // In a full project, one that has the key is found or replaced all the same.
        if (holder === undefined && isFull) throw error;
        if (holder === undefined) continue;
        if (terms.onConflict === 'fail') throw new DuplicateExecutionError(holder.id);
        if (terms.onConflict === 'return_existing') return await this.existing(holder, answer);
        await this.makeRoom(holder, terms.key);
        isReplacement = true;
      }
    }
    throw new ExecutionChangedError();
  }

  private async existing(
    holder: Execution,
    answer: (started: { readonly execution: Execution; readonly isNew: boolean }) => Answer,
  ): Promise<KeyedStart> {
    const execution = (await this.executions.findWhole(holder.id)) ?? holder;
    const found = { execution, written: execution, isNew: false };
    const writes = this.idempotency.claim(answer(found));
    if (writes.length > 0) await this.writer.commit({ writes });
    return found;
  }

  private async makeRoom(holder: Execution, key: string): Promise<void> {
    try {
      await this.cancellation.cancel(
        holder,
        `Another start with the deduplication key "${key}" replaces it.`,
      );
    } catch (error) {
      if (!(error instanceof ExecutionFinishedError)) throw error;
    }
  }
}
