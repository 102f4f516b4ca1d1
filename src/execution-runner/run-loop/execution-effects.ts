import type { TracedAttempt } from '../../trace-context/index.ts';
import { Injectable } from '@nestjs/common';
import { type ApprovalLinks, keyAt, type RunOrder } from '../../engine/index.ts';
import type { ChildRequest } from '../../node-contract/index.ts';
import { ApprovalLinksPort } from '../ports/approval-links.port.ts';
import { ChildExecutionsPort } from '../ports/child-executions.port.ts';
import type { Execution, NewExecution } from '../../execution-store/index.ts';

/** Creates the child executions and the approval links that nodes request. */
@Injectable()
export class ExecutionEffects {
  constructor(
    private readonly children: ChildExecutionsPort,
    private readonly links: ApprovalLinksPort,
  ) {}

  /**
   * Creates a child execution without writing it to the database.
   *
   * @throws NodeFailure if the child cannot be created
   */
  child(parent: Execution, wanted: ChildRequest, attempted: TracedAttempt): Promise<NewExecution> {
    return this.children.adapter.prepare(parent, wanted, attempted);
  }

  approvalLinks(execution: Execution, { node, attempt, iteration }: RunOrder): Promise<ApprovalLinks> {
    const nodeId = keyAt(node.id, iteration);
    return this.links.adapter.of({ executionId: execution.id, nodeId, attempt });
  }
}
