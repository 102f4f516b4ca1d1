import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../access/index.js';
import { BulkActions, type BulkTerms } from './bulk-actions.js';
import { MAX_ERRORS, MAX_PER_CALL } from './bulk.js';

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

/** Performs a bulk action within one request. A failed action does not stop the remaining actions. */
@Injectable()
export class BulkService {
  constructor(@Inject(BulkActions) private readonly actions: Pick<BulkActions, 'idsAfter' | 'apply'>) {}

  /**
   * Performs the action on up to 1,000 executions that match the filter and that the caller can access, oldest first. A
   * repeated request continues with the next executions.
   */
  async run(principal: Principal, terms: BulkTerms): Promise<BulkOutcome> {
    const found = await this.actions.idsAfter(principal, terms, null, MAX_PER_CALL + 1);
    const matched = found.slice(0, MAX_PER_CALL);
    const errors: BulkOutcome['errors'][number][] = [];
    const queue = matched.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const id of queue) {
          const error = await this.actions.apply(principal, id, terms);
          if (error !== null) errors.push({ execution_id: id, ...error });
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
}
