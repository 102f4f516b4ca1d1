export { type CompiledWorkflow, PlanCache, PlanUnavailableError } from './plan-cache.js';
export type { Workflow, WorkflowStatus } from './workflow.js';
export type { Standing } from './workflow-heads.js';
export { WorkflowEntity, WorkflowVersionEntity } from './workflow.entity.js';
export { type LastExecution, WorkflowExecutions } from './workflow-executions.js';
export { WorkflowsModule } from './workflows.module.js';
export { WorkflowsService } from './workflows.service.js';
