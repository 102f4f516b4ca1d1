import { Injectable } from '@nestjs/common';
import { type ApprovalLinks, type ChildRequest, keyAt, type RunOrder } from '../../engine/index.js';
import { ApprovalLinkMaker } from '../approvals/approval-link.maker.js';
import { ChildStarter } from '../children/child-starter.js';
import type { Execution, Beginning } from '../execution.js';
import type { Wishes } from './node-runner.js';

/** What nodes may ask for that reaches beyond their own execution. */
@Injectable()
export class Consequences implements Wishes {
  constructor(
    private readonly children: ChildStarter,
    private readonly links: ApprovalLinkMaker,
  ) {}

  child(parent: Execution, wanted: ChildRequest): Promise<Beginning> {
    return this.children.prepare(parent, wanted);
  }

  approvalLinks(execution: Execution, { node, attempt, iteration }: RunOrder): Promise<ApprovalLinks> {
    const nodeId = keyAt(node.id, iteration);
    return this.links.of({ executionId: execution.id, nodeId, attempt });
  }
}
