import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { NodeTypeExplorer } from './node-type.explorer.js';
import { NodeTypeRegistry } from './node-type.registry.js';
import { NodeTypesController } from './node-types.controller.js';

/** Provides the registry of node types, which contains the node types of all modules and plug-ins. */
@Module({
  imports: [DiscoveryModule],
  controllers: [NodeTypesController],
  providers: [NodeTypeRegistry, NodeTypeExplorer],
  exports: [NodeTypeRegistry],
})
export class NodesModule {}
