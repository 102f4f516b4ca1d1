import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import {
  CODE_POOL,
  CodeNode,
  codePool,
  DelayNode,
  FailNode,
  ForeachNode,
  EgressAgent,
  HTTP_TIMEOUT_MS,
  HttpNode,
  SandboxWallReport,
  SetNode,
  WaitNode,
  WorkflowNode,
  TRANSFORM_POOL,
  TransformNode,
  transformPool,
} from '../node-types/index.js';
import { EffectGuard } from './effects/effect-guard.js';
import { NodeTypeExplorer } from './node-type.explorer.js';
import { NodeTypeRegistry } from './node-type.registry.js';
import { NodeTypesController } from './node-types.controller.js';

/** The registry of node types and the built-in ones. Types of other modules are found wherever they stand. */
@Module({
  imports: [DiscoveryModule],
  controllers: [NodeTypesController],
  providers: [
    NodeTypeRegistry,
    NodeTypeExplorer,
    EffectGuard,
    EgressAgent,
    SandboxWallReport,
    { provide: HTTP_TIMEOUT_MS, useValue: 30_000 },
    SetNode,
    HttpNode,
    { provide: TRANSFORM_POOL, useFactory: () => transformPool() },
    TransformNode,
    { provide: CODE_POOL, useFactory: () => codePool() },
    CodeNode,
    DelayNode,
    FailNode,
    ForeachNode,
    WaitNode,
    WorkflowNode,
  ],
  exports: [EffectGuard, NodeTypeRegistry],
})
export class NodesModule {}
