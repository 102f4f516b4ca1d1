import { applyDecorators, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { NodeType as NodeTypeContract, NodeTypeDescription } from '../node-contract/index.js';

export const NodeTypeMetadata = DiscoveryService.createDecorator<NodeTypeDescription>();

/**
 * Marks a module whose tests compile the schemas of all its node types. The service compiles such a schema only when it
 * first checks parameters, because compiling all schemas at the start takes 0.15 s.
 */
export const SchemasAreTested = DiscoveryService.createDecorator();

/**
 * Class decorator that registers a class as a node type and as a Nest provider. The class must implement the contract
 * `NodeType`. Any module may provide the class.
 */
export function NodeType(
  description: NodeTypeDescription,
): (target: new (...injected: never[]) => NodeTypeContract) => void {
  return applyDecorators(NodeTypeMetadata(description), Injectable());
}
