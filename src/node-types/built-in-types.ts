/** The built-in node types, one per export. */
export { CodeNode } from './code/code.node.js';
export { DelayNode } from './delay/delay.node.js';
export { FailNode } from './fail/fail.node.js';
export { ForeachNode } from './foreach/foreach.node.js';
export { HttpNode } from './http/http.node.js';
export { SetNode } from './set/set.node.js';
export { TransformNode } from './transform/transform.node.js';
export { WaitNode } from './wait/wait.node.js';
export { WorkflowNode } from './workflow/workflow.node.js';
