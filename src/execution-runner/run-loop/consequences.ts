import type { TracedAttempt } from '../../trace-context/index.js';
import { Injectable } from '@nestjs/common';
import { type ApprovalLinks, keyAt, type RunOrder } from '../../engine/index.js';
import type { ChildRequest } from '../../node-contract/index.js';
import { ApprovalLinksPort } from '../ports/approval-links.port.js';
import { ChildExecutionsPort } from '../ports/child-executions.port.js';
import type { Execution, Beginning } from '../../execution-store/index.js';
import type { Wishes } from './node-runner.js';

/** Effects of nodes beyond their own execution: child executions and approval links. */
@Injectable()
export class Consequences implements Wishes {
  constructor(
    private readonly children: ChildExecutionsPort,
    private readonly links: ApprovalLinksPort,
  ) {}

  child(parent: Execution, wanted: ChildRequest, attempted: TracedAttempt): Promise<Beginning> {
    return this.children.adapter.prepare(parent, wanted, attempted);
  }

  approvalLinks(execution: Execution, { node, attempt, iteration }: RunOrder): Promise<ApprovalLinks> {
    const nodeId = keyAt(node.id, iteration);
    return this.links.adapter.of({ executionId: execution.id, nodeId, attempt });
  }
}
