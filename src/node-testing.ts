/** `workflow-service/testing`: what the specs of a package of node types need. */
import 'reflect-metadata';

export {
  checkNodeType,
  type NodeExample,
  type NodeTest,
  NodeTestError,
  type NodeTestResult,
  testNode,
} from './nodes/index.js';
