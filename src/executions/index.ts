export { executionView, ExecutionView } from './execution.view.js';
export { ExecutionsModule } from './executions.module.js';
