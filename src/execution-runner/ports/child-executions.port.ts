import { Injectable } from '@nestjs/common';
import type { ChildRequest } from '../../node-contract/index.js';
import { Port } from '../../platform/index.js';
import type { Beginning, Execution } from '../../execution-store/index.js';

/** Makes the executions that nodes start. */
export interface ChildExecutions {
  /**
   * A child as it is to be written, in the commit of the event that says that its parent waits for it.
   * @throws NodeFailure where there can be no such child.
   */
  prepare(parent: Execution, wanted: ChildRequest): Promise<Beginning>;
}

@Injectable()
export class ChildExecutionsPort extends Port<ChildExecutions> {}
