/** Package entry point `workflow-service/testing`: functions for tests of node types. */
import 'reflect-metadata';

export {
  checkNodeType,
  type NodeExample,
  type NodeTest,
  NodeTestError,
  type NodeTestResult,
  testNode,
} from './nodes/index.js';
