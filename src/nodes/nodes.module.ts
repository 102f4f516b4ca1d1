import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { NodeTypeExplorer } from './node-type.explorer.js';
import { NodeTypeRegistry } from './node-type.registry.js';
import { NodeTypesController } from './node-types.controller.js';

/** The registry of node types. It contains the built-in types and the types of plug-ins, from any module. */
@Module({
  imports: [DiscoveryModule],
  controllers: [NodeTypesController],
  providers: [NodeTypeRegistry, NodeTypeExplorer],
  exports: [NodeTypeRegistry],
})
export class NodesModule {}
