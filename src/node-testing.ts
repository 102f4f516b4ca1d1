/** `workflow-service/testing`: test utilities for packages of node types. */
import 'reflect-metadata';

export {
  checkNodeType,
  type NodeExample,
  type NodeTest,
  NodeTestError,
  type NodeTestResult,
  testNode,
} from './nodes/index.js';
