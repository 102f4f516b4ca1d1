import { Injectable } from '@nestjs/common';
import type { ChildRequest } from '../../node-contract/index.js';
import { Port } from '../../platform/index.js';
import type { NewExecution, Execution } from '../../execution-store/index.js';
import type { TracedAttempt } from '../../trace-context/index.js';

/** Creates the child executions that nodes start. */
export interface ChildExecutions {
  /**
   * Prepares a child execution without writing it to the database. The caller writes the child in the commit with which
   * the parent starts to wait for it.
   *
   * @param attempted attempt of the parent's node that starts the child
   * @throws NodeFailure if the child cannot be started
   */
  prepare(parent: Execution, wanted: ChildRequest, attempted: TracedAttempt): Promise<NewExecution>;
}

@Injectable()
export class ChildExecutionsPort extends Port<ChildExecutions> {}
