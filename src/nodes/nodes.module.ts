import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { NodeTypeExplorer } from './node-type.explorer.js';
import { NodeTypeRegistry } from './node-type.registry.js';
import { NodeTypesController } from './node-types.controller.js';

/** The registry of node types, with the types of all modules and plug-ins. */
@Module({
  imports: [DiscoveryModule],
  controllers: [NodeTypesController],
  providers: [NodeTypeRegistry, NodeTypeExplorer],
  exports: [NodeTypeRegistry],
})
export class NodesModule {}
