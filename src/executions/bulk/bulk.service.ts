import { ReachableExecutions, Cancellation, type Execution } from '../../execution-store/index.js';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Principal } from '../../access/index.js';
import { ServiceError } from '../../errors/index.js';
import { ExecutionsReader } from '../executions.reader.js';
import { RetriesService } from '../retry/retries.service.js';
import type { RETRY_VERSIONS } from '../retry/retry.dto.js';
import { type BulkAction, MAX_ERRORS, MAX_PER_CALL, statusesFor } from './bulk.js';

export interface BulkRequest {
  readonly action: BulkAction;
  readonly filter: Parameters<ExecutionsReader['list']>[1];
  readonly reason: string | null;
  readonly version: (typeof RETRY_VERSIONS)[number];
}

export interface BulkOutcome {
  readonly matched: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly errors: readonly {
    readonly execution_id: string;
    readonly code: string;
    readonly message: string;
  }[];
  readonly has_more: boolean;
}

/**
 * Maximum number of executions that one bulk request changes at the same time. A higher number would slow down other
 * requests.
 */
const AT_ONCE = 10;

/** Cancels or retries many executions in one request. A failed action does not stop the remaining actions. */
@Injectable()
export class BulkService {
  private readonly logger = new Logger(BulkService.name);

  constructor(
    @Inject(ExecutionsReader) private readonly reader: Pick<ExecutionsReader, 'list'>,
    @Inject(ReachableExecutions) private readonly executions: Pick<ReachableExecutions, 'read'>,
    @Inject(Cancellation) private readonly cancellation: Pick<Cancellation, 'cancel'>,
    @Inject(RetriesService) private readonly retries: Pick<RetriesService, 'retry'>,
  ) {}

  /**
   * Cancels or retries up to 1,000 executions that match the filter and that the caller can access, oldest first. A
   * repeated request continues with the next executions.
   */
  async run(principal: Principal, { action, filter, reason, version }: BulkRequest): Promise<BulkOutcome> {
    const statuses = statusesFor(action, filter.statuses);
    const found =
      statuses.length === 0
        ? []
        : (
            await this.reader.list(
              principal,
              { ...filter, statuses, ...(action === 'retry' ? { isNotRetried: true } : {}) },
              { limit: MAX_PER_CALL + 1, offset: 0, order: 'asc' },
            )
          ).items;
    const matched = found.slice(0, MAX_PER_CALL);
    const work = async (execution: Execution): Promise<unknown> => {
      if (action === 'cancel') return this.cancellation.cancel(execution, reason);
      // A retry needs the complete input of the execution. The list omits long inputs, so this read loads the execution
      // again.
      const whole = await this.executions.read(principal, execution.id);
      return this.retries.retry(principal, whole, { from: 'failed', version });
    };
    const errors: BulkOutcome['errors'][number][] = [];
    const queue = matched.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const execution of queue)
          try {
            await work(execution);
          } catch (error) {
            errors.push({ execution_id: execution.id, ...this.errorOf(error) });
          }
      }),
    );
    return {
      matched: matched.length,
      succeeded: matched.length - errors.length,
      failed: errors.length,
      errors: errors.slice(0, MAX_ERRORS),
      has_more: found.length > MAX_PER_CALL,
    };
  }

  private errorOf(error: unknown): { readonly code: string; readonly message: string } {
    if (error instanceof ServiceError) return { code: error.code, message: error.message };
    this.logger.error({ err: error }, 'One of the selected executions could not be changed.');
    return { code: 'server_error', message: 'An internal error occurred. Try this execution again.' };
  }
}
