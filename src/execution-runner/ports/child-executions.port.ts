import { Injectable } from '@nestjs/common';
import type { ChildRequest } from '../../node-contract/index.js';
import { Port } from '../../platform/index.js';
import type { NewExecution, Execution } from '../../execution-store/index.js';
import type { TracedAttempt } from '../../trace-context/index.js';

/** Creates the child executions that nodes start. */
export interface ChildExecutions {
  /**
   * A child that is not written yet. The caller writes it in the commit of the event with which the parent starts to
   * wait.
   * @param attempted attempt of the parent that starts the child
   * @throws NodeFailure if the child cannot be started
   */
  prepare(parent: Execution, wanted: ChildRequest, attempted: TracedAttempt): Promise<NewExecution>;
}

@Injectable()
export class ChildExecutionsPort extends Port<ChildExecutions> {}
