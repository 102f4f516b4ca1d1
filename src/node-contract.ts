/** Package entry point `workflow-service/node`: the stable API for plug-ins with node types. */
import 'reflect-metadata';

export {
  Inject,
  Injectable,
  Logger,
  type OnModuleDestroy,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
export {
  type ApprovalRequest,
  type ChildRequest,
  type NodeCapabilities,
  type NodeContext,
  NodeFailure,
  type NodeResult,
  type NodeType as NodeTypeContract,
  type NodeTypeDescription,
  output,
  startChild,
  suspend,
  type Wait,
} from './node-contract/index.js';
export type { Resumption } from './execution-events/index.js';
export type { Fault, Json, JsonObject } from './expressions/index.js';
export { definePlugin, NodeType, type Plugin } from './nodes/index.js';
export { CLOCK, type Clock } from './platform/index.js';
