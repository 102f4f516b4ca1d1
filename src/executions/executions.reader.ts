import { Inject, Injectable } from '@nestjs/common';
import type { IdPlace, PageRows } from '../pages/index.js';
import type { Principal } from '../access/index.js';
import type { NodeDefinition, Plan } from '../engine/index.js';
import { JournalRepository } from '../journal/index.js';
import { defined } from '../platform/index.js';
import { ProjectsService } from '../projects/index.js';
import { PlanCache, PlanUnavailableError } from '../workflows/index.js';
import { ExecutionFinder, type FoundExecutions, MAX_FOUND } from '../execution-search/index.js';
import { type Execution, type ExecutionFilter } from '../execution-store/index.js';
import { ExecutionListRepository } from './execution-list.repository.js';
import { type NodeExecution, NodeTable } from './node-execution.js';
import { NodeValues } from './node-values.js';
import { type DefinedNode, type DefinedOuterNode, NodeRows } from './node-rows.js';

export type ExecutionListFilter = Omit<ExecutionFilter, 'projectIds'> & {
  readonly projectId?: string;
  /** Search text: start or end of an execution id, or words from the execution's error, metadata or input. */
  readonly q?: string;
};

@Injectable()
export class ExecutionsReader {
  constructor(
    @Inject(ExecutionListRepository)
    private readonly lists: Pick<ExecutionListRepository, 'list' | 'idsAfter'>,
    @Inject(JournalRepository) private readonly journal: Pick<JournalRepository, 'slimParts'>,
    @Inject(ProjectsService) private readonly projects: Pick<ProjectsService, 'idsWithin'>,
    @Inject(PlanCache) private readonly plans: Pick<PlanCache, 'of' | 'definition'>,
    @Inject(NodeValues) private readonly values: Pick<NodeValues, 'shown'>,
    @Inject(ExecutionFinder) private readonly finder: Pick<ExecutionFinder, 'find'>,
  ) {}

  /** A page of executions. With the search text `q`, the list contains at most the 1,000 newest matches of the text. */
  async list(
    principal: Principal,
    filter: ExecutionListFilter,
    place: IdPlace,
  ): Promise<PageRows<Execution>> {
    const { projectId, q, ...rest } = filter;
    const projectIds = await this.projects.idsWithin(principal, projectId);
    if (q === undefined) return this.lists.list({ ...rest, projectIds }, place);
    const { ids } = await this.finder.find(q, projectIds, MAX_FOUND);
    return this.lists.list({ ...rest, projectIds, ids }, place);
  }

  /**
   * Returns the newest executions that match a search text. Also returns the range of ids that the search did not
   * cover.
   */
  async search(
    principal: Principal,
    text: string,
    projectId: string | undefined,
    limit: number,
  ): Promise<Omit<FoundExecutions, 'ids'> & { readonly items: readonly Execution[] }> {
    const projectIds = await this.projects.idsWithin(principal, projectId);
    const { ids, ...rest } = await this.finder.find(text, projectIds, limit);
    const place = { limit, offset: 0, order: 'desc' } as const;
    const { items } = ids.length === 0 ? { items: [] } : await this.lists.list({ projectIds, ids }, place);
    return { ...rest, items };
  }

  /** @param after null to start with the oldest execution */
  async idsAfter(
    principal: Principal,
    filter: Omit<ExecutionFilter, 'projectIds'> & { readonly projectId?: string },
    after: string | null,
    limit: number,
  ): Promise<readonly string[]> {
    const { projectId, ...rest } = filter;
    const projectIds = await this.projects.idsWithin(principal, projectId);
    return this.lists.idsAfter({ ...rest, projectIds }, after, limit);
  }

  /**
   * Returns the nodes of an execution in the order of the compiled workflow. The nodes inside a loop follow
   * the loop, once for each item.
   * @param nodeId limits the list to one node
   */
  async nodes(
    execution: Execution,
    { start, limit, nodeId }: { readonly start: number; readonly limit: number; readonly nodeId?: string },
  ): Promise<PageRows<NodeExecution>> {
    const nodes = await this.definedNodes(execution);
    const rows = new NodeRows(nodes, await this.itemCounts(execution.id, nodes), nodeId);
    const table = new NodeTable(rows.part(start, limit));
    let sequence = 0;
    for await (const events of this.journal.slimParts(execution.id))
      for (const event of events) table.add(event, (sequence += 1));
    const items = table.list(execution.progress.status);
    return { items: await this.values.shown(execution.id, items), total: rows.total };
  }

  /** Number of items of each loop, by id of the loop node. Loops that have not started are absent. */
  private async itemCounts(
    executionId: string,
    nodes: readonly DefinedOuterNode[],
  ): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    const loops = nodes.filter(({ body }) => body.length > 0).length;
    if (loops === 0) return counts;
    for await (const events of this.journal.slimParts(executionId)) {
      for (const { nodeId, data } of events)
        if (nodeId !== null && 'iterations' in data) counts.set(nodeId, data.iterations ?? 0);
      if (counts.size === loops) break;
    }
    return counts;
  }

  private async definedNodes(execution: Execution): Promise<readonly DefinedOuterNode[]> {
    const { workflowId, workflowVersion: version } = execution;
    try {
      const { plan } = await this.plans.of(workflowId, version);
      return plan.order.map((node) => ({
        ...definedNode(node),
        body: (node.body?.order ?? []).map(definedNode),
      }));
    } catch (error) {
      const definition = await this.plans.definition(workflowId, version);
      if (!(error instanceof PlanUnavailableError) || definition === undefined) throw error;
      // The workflow does not compile if a plug-in with one of its node types is missing. The result then omits the
      // nodes inside loops, because only a compiled plan shows the loops.
      return definition.nodes.map((node) => ({ ...namedNode(node), body: [] }));
    }
  }
}

function namedNode({ id, name, type }: NodeDefinition): DefinedNode {
  return defined({ id, type, name });
}

function definedNode({ id, name, type }: Plan['order'][number]): DefinedNode {
  return defined({ id, type: type.type, name: name ?? undefined });
}
