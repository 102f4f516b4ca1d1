import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Principal } from '../../access/index.js';
import { ServiceError } from '../../errors/index.js';
import { type ExecutionStatus, FINAL_STATUSES } from '../../execution-events/index.js';
import { Cancellation, ReachableExecutions } from '../../execution-store/index.js';
import { ExecutionNotPausedError } from '../control/control.errors.js';
import { ControlService } from '../control/control.service.js';
import { ExecutionsReader } from '../executions.reader.js';
import { RetriesService } from '../retry/retries.service.js';
import type { RETRY_VERSIONS } from '../retry/retry.dto.js';
import type { BulkFilter } from './stored-filter.js';

export const BULK_ACTIONS = ['cancel', 'pause', 'resume', 'retry'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** A bulk action, with the filter that selects its executions. */
export interface BulkTerms {
  readonly action: BulkAction;
  readonly filter: BulkFilter;
  /** Reason for a cancellation or pause; ignored for other actions. */
  readonly reason: string | null;
  /** Version of the workflow that retries run; ignored for other actions. */
  readonly version: (typeof RETRY_VERSIONS)[number];
}

/** Statuses of the executions to which each bulk action applies. */
const STATUSES: Readonly<Record<BulkAction, readonly ExecutionStatus[]>> = {
  cancel: ['queued', 'running', 'waiting', 'paused'],
  pause: ['queued', 'running', 'waiting'],
  resume: ['paused'],
  retry: FINAL_STATUSES.filter((status) => status !== 'completed'),
};

/** Performs the actions of bulk requests and of bulk jobs. */
@Injectable()
export class BulkActions {
  private readonly logger = new Logger(BulkActions.name);

  constructor(
    @Inject(ExecutionsReader) private readonly reader: Pick<ExecutionsReader, 'list' | 'idsAfter'>,
    @Inject(ReachableExecutions) private readonly executions: Pick<ReachableExecutions, 'read'>,
    @Inject(Cancellation) private readonly cancellation: Pick<Cancellation, 'cancel'>,
    @Inject(ControlService) private readonly control: Pick<ControlService, 'pause' | 'resume'>,
    @Inject(RetriesService) private readonly retries: Pick<RetriesService, 'retry'>,
  ) {}

  /** @throws ProjectNotFoundError; ProjectOutOfReachError. */
  async count(principal: Principal, terms: BulkTerms): Promise<number> {
    const filter = filterOf(terms);
    if (filter === null) return 0;
    return (await this.reader.list(principal, filter, { limit: 1, offset: 0, order: 'asc' })).total;
  }

  /** @param after null to start with the oldest execution */
  async idsAfter(
    principal: Principal,
    terms: BulkTerms,
    after: string | null,
    limit: number,
  ): Promise<readonly string[]> {
    const filter = filterOf(terms);
    return filter === null ? [] : this.reader.idsAfter(principal, filter, after, limit);
  }

  /**
   * Performs a bulk action on one execution. Repeating the action on the same execution counts as a success.
   * @returns the error; null if the action succeeded
   */
  async apply(
    principal: Principal,
    id: string,
    terms: BulkTerms,
  ): Promise<{ readonly code: string; readonly message: string } | null> {
    try {
      await this.change(principal, id, terms);
      return null;
    } catch (error) {
      if (error instanceof ExecutionNotPausedError) return null;
      if (error instanceof ServiceError) return { code: error.code, message: error.message };
      this.logger.error({ err: error }, 'One of the selected executions could not be changed.');
      return { code: 'server_error', message: 'An internal error occurred. Try this execution again.' };
    }
  }

  private async change(
    principal: Principal,
    id: string,
    { action, reason, version }: BulkTerms,
  ): Promise<unknown> {
    switch (action) {
      case 'cancel':
        return this.cancellation.cancel(await this.executions.read(principal, id), reason);
      case 'pause':
        return this.control.pause(principal, id, reason);
      case 'resume':
        return this.control.resume(principal, id);
      case 'retry': {
        const notRetried = await this.reader.idsAfter(principal, { ids: [id], isNotRetried: true }, null, 1);
        if (notRetried.length === 0) return undefined;
        return this.retries.retry(principal, await this.executions.read(principal, id), {
          from: 'failed',
          version,
        });
      }
    }
  }
}

/** The filter of a bulk action, limited to statuses to which the action applies. Null if no status remains. */
function filterOf({ action, filter }: BulkTerms): (BulkFilter & { readonly isNotRetried?: boolean }) | null {
  const { statuses: wanted } = filter;
  const statuses = STATUSES[action].filter((status) => wanted === undefined || wanted.includes(status));
  if (statuses.length === 0) return null;
  return { ...filter, statuses, ...(action === 'retry' ? { isNotRetried: true } : {}) };
}
