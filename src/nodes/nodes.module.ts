import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DelayNode } from './delay/delay.node.js';
import { FailNode } from './fail/fail.node.js';
import { EgressAgent } from './http/egress-agent.js';
import { HTTP_TIMEOUT_MS, HttpNode } from './http/http.node.js';
import { NodeTypeExplorer } from './node-type.explorer.js';
import { NodeTypeRegistry } from './node-type.registry.js';
import { NodeTypesController } from './node-types.controller.js';
import { SetNode } from './set/set.node.js';

/** The registry of node types and the built-in ones. Types of other modules are found wherever they stand. */
@Module({
  imports: [DiscoveryModule],
  controllers: [NodeTypesController],
  providers: [
    NodeTypeRegistry,
    NodeTypeExplorer,
    EgressAgent,
    { provide: HTTP_TIMEOUT_MS, useValue: 30_000 },
    SetNode,
    HttpNode,
    DelayNode,
    FailNode,
  ],
  exports: [NodeTypeRegistry],
})
export class NodesModule {}
