import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Principal } from '../access/index.js';
import { etagOf } from '../http/index.js';
import { idPlace, type Page, page } from '../pages/index.js';
import { defined } from '../platform/index.js';
import type { ListWorkflowsQuery } from './workflow.dto.js';
import type { Workflow } from './workflow.js';
import { type SavedWorkflowView, workflowView, type WorkflowView } from './workflow.view.js';
import { WorkflowExecutions } from './workflow-executions.js';
import { WorkflowWarnings } from './workflow-warnings.js';
import { WorkflowsService } from './workflows.service.js';

@Injectable()
export class WorkflowAnswers {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly executions: WorkflowExecutions,
    private readonly warnings: WorkflowWarnings,
  ) {}

  async page(principal: Principal, query: ListWorkflowsQuery): Promise<Page<WorkflowView>> {
    const { items, total } = await this.workflows.list(principal, filterOf(query), idPlace(query));
    const last = await this.executions.latest(items.map(({ id }) => id));
    return page(query, {
      rows: items,
      total,
      cursorOf: ({ id }) => [id],
      toItem: (workflow) => workflowView(workflow, last.get(workflow.id)),
    });
  }

  /** Returns the view of a saved workflow, with its warnings. Sets the `ETag` header of the response. */
  async saved(workflow: Workflow, response: Response): Promise<SavedWorkflowView> {
    const warnings = await this.warnings.warnings(workflow.definition, workflow.projectId);
    response.set('ETag', etagOf(workflow.revision));
    return Object.assign(workflowView(workflow), warnings.length === 0 ? {} : { warnings });
  }

  /** Returns the view of a workflow, with its latest execution. Sets the `ETag` header of the response. */
  async one(principal: Principal, id: string, response: Response): Promise<WorkflowView> {
    const workflow = await this.workflows.read(principal, id);
    const last = await this.executions.latest([id]);
    response.set('ETag', etagOf(workflow.revision));
    return workflowView(workflow, last.get(id));
  }
}

function filterOf({
  status,
  project_id,
  tag,
  q,
}: ListWorkflowsQuery): Parameters<WorkflowsService['list']>[1] {
  return defined({ status, projectId: project_id?.toLowerCase(), tag, q });
}
