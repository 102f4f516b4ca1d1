import { OptionalId } from '../fields/index.js';
import { SearchedPageQuery } from '../pages/index.js';
import { defined } from '../platform/index.js';

/** Filter for a list of resources that belong to workflows, such as hooks and schedules. */
export interface WorkflowItemsFilter {
  readonly projectId?: string;
  readonly workflowId?: string;
  /** Search text: a part of the name, or a prefix of the id or of its last eight characters. */
  readonly q?: string;
}

/** Query parameters for a list of resources that belong to workflows, such as hooks and schedules. */
export class WorkflowItemsQuery extends SearchedPageQuery {
  @OptionalId()
  project_id?: string;

  @OptionalId()
  workflow_id?: string;
}

export function workflowItemsFilter({ project_id, workflow_id, q }: WorkflowItemsQuery): WorkflowItemsFilter {
  return defined({ projectId: project_id?.toLowerCase(), workflowId: workflow_id?.toLowerCase(), q });
}
