/** `workflow-service/testing`: functions with which packages test their node types. */
import 'reflect-metadata';

export {
  checkNodeType,
  type NodeExample,
  type NodeTest,
  NodeTestError,
  type NodeTestResult,
  testNode,
} from './nodes/index.js';
