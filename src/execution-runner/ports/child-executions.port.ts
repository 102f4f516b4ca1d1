import { Injectable } from '@nestjs/common';
import type { ChildRequest } from '../../node-contract/index.js';
import { Port } from '../../platform/index.js';
import type { NewExecution, Execution } from '../../execution-store/index.js';
import type { TracedAttempt } from '../../trace-context/index.js';

/** Creates the executions that nodes start. */
export interface ChildExecutions {
  /**
   * A child as it is to be written, in the commit of the event that says that its parent waits for it.
   * @param attempted the attempt of the parent that starts it
   * @throws NodeFailure where there can be no such child.
   */
  prepare(parent: Execution, wanted: ChildRequest, attempted: TracedAttempt): Promise<NewExecution>;
}

@Injectable()
export class ChildExecutionsPort extends Port<ChildExecutions> {}
