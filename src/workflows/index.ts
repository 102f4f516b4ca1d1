export { type CompiledWorkflow, PlanCache, PlanUnavailableError } from './plan-cache.js';
export type { Workflow, WorkflowStatus } from './workflow.js';
export { ListWorkflowsQuery } from './workflow.dto.js';
export { WorkflowView } from './workflow.view.js';
export { WorkflowAnswers } from './workflow-answers.js';
export { WorkflowEntity, WorkflowVersionEntity } from './workflow.entity.js';
export { type LastExecution, WorkflowExecutions } from './workflow-executions.js';
export { WorkflowsModule } from './workflows.module.js';
export { WorkflowsService } from './workflows.service.js';
