import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { ValidationError } from '../errors/index.js';
import { type Execution, ReachableExecutions } from '../execution-store/index.js';
import { ExecutionsReader } from '../executions/index.js';
import type { ExecutionDiffView } from './comparison.dto.js';
import { type Compared, executionDiff } from './execution-diff.js';

/** Maximum number of nodes that are compared per execution. A node inside a loop counts once for each iteration. */
const MAX_NODES = 1_000;

@Injectable()
export class ComparisonsService {
  constructor(
    private readonly executions: ReachableExecutions,
    private readonly reader: ExecutionsReader,
  ) {}

  /**
   * @throws ExecutionNotFoundError; ProjectOutOfReachError.
   * @throws ValidationError if the executions belong to different workflows.
   */
  async compare(principal: Principal, baseId: string, otherId: string): Promise<ExecutionDiffView> {
    const [base, other] = await Promise.all([
      this.executions.read(principal, baseId),
      this.executions.read(principal, otherId),
    ]);
    if (base.workflowId !== other.workflowId)
      throw ValidationError.of(
        'with',
        'other_workflow',
        `must be an execution of the same workflow (${base.workflowId}), but belongs to the workflow ${other.workflowId}`,
      );
    return executionDiff(await this.withNodes(base), await this.withNodes(other));
  }

  private async withNodes(execution: Execution): Promise<Compared> {
    const { items, total } = await this.reader.nodes(execution, { start: 0, limit: MAX_NODES });
    return { execution, nodes: items, hasMore: total > items.length };
  }
}
