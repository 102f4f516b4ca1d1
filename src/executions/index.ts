export { ExecutionSignals } from './control/execution-signals.js';
export { executionView, ExecutionView } from './execution.view.js';
export { ExecutionsModule } from './executions.module.js';
