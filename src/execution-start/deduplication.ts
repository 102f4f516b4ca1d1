import { Inject, Injectable } from '@nestjs/common';
import {
  Cancellation,
  type Execution,
  ExecutionRepository,
  ExecutionChangedError,
  ExecutionFinishedError,
  KeyHeldError,
  ExecutionLookupRepository,
} from '../execution-store/index.js';
import { ExecutionStarts, type WrittenExecution } from './execution-starts.js';
import type { PreparedExecution } from './prepared-execution.js';
import { DuplicateExecutionError, TooManyExecutionsError } from './execution-start.errors.js';

/** Values of `on_conflict`: what a start does if an unfinished execution has the same deduplication key. */
export const ON_CONFLICTS = ['return_existing', 'fail', 'cancel_existing'] as const;
export type OnConflict = (typeof ON_CONFLICTS)[number];

export interface DeduplicationTerms {
  readonly key: string;
  readonly onConflict: OnConflict;
}

export interface KeyedStart extends WrittenExecution {
  readonly isNew: boolean;
}

/**
 * Maximum number of tries to start an execution with a deduplication key. A try fails if the unfinished execution that
 * has the key ends during the try.
 */
const MAX_TRIES = 20;

/** Ensures that at most one unfinished execution of a workflow has a given deduplication key. */
@Injectable()
export class Deduplication {
  constructor(
    @Inject(ExecutionStarts) private readonly starts: Pick<ExecutionStarts, 'write'>,
    @Inject(ExecutionLookupRepository) private readonly lookup: Pick<ExecutionLookupRepository, 'findByKey'>,
    @Inject(ExecutionRepository) private readonly executions: Pick<ExecutionRepository, 'findWhole'>,
    @Inject(Cancellation) private readonly cancellation: Pick<Cancellation, 'cancel'>,
  ) {}

  /**
   * Writes a new execution, or finds the unfinished execution with the same deduplication key.
   *
   * @throws DuplicateExecutionError if an unfinished execution has the key and `onConflict` is `fail`
   * @throws ExecutionChangedError if all `MAX_TRIES` tries fail
   */
  async start(prepared: PreparedExecution, terms: DeduplicationTerms): Promise<KeyedStart> {
    let isReplacement = false;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      try {
        return { ...(await this.starts.write(prepared, isReplacement)), isNew: true };
      } catch (error) {
        const isFull = error instanceof TooManyExecutionsError;
        if (!(error instanceof KeyHeldError || isFull)) throw error;
        const holder = await this.lookup.findByKey(prepared.execution.workflowId, terms.key);
        // If the project has too many unfinished executions, the start can still return or replace the execution that
        // has the deduplication key.
        if (holder === undefined && isFull) throw error;
        if (holder === undefined) continue;
        if (terms.onConflict === 'fail') throw new DuplicateExecutionError(holder.id);
        if (terms.onConflict === 'return_existing') {
          const execution = (await this.executions.findWhole(holder.id)) ?? holder;
          return { execution, written: execution, isNew: false };
        }
        if (await this.cancelHolder(holder, terms.key)) isReplacement = true;
      }
    }
    throw new ExecutionChangedError();
  }

  /** @returns false if the execution has ended by itself */
  private async cancelHolder(holder: Execution, key: string): Promise<boolean> {
    try {
      await this.cancellation.cancel(
        holder,
        `Another start with the deduplication key "${key}" replaces this execution.`,
      );
      return true;
    } catch (error) {
      if (!(error instanceof ExecutionFinishedError)) throw error;
      return false;
    }
  }
}
