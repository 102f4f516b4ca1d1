export { WorkflowItemsQuery, workflowItemsFilter } from './workflow-items-query.js';
export { type CompiledWorkflow, PlanCache, PlanUnavailableError } from './plan-cache.js';
export { WorkflowHeads, type WorkflowSnapshot } from './workflow-heads.js';
export { type WorkflowWarning, type WorkflowWarningFinder, WorkflowWarnings } from './workflow-warnings.js';
export type { Workflow } from './workflow.js';
export { WorkflowsModule } from './workflows.module.js';
export { WorkflowsService } from './workflows.service.js';
export type { WorkflowView } from './workflow.view.js';
export type { ValidateWorkflowView } from './workflow.dto.js';
