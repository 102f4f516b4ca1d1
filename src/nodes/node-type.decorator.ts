import { applyDecorators, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { NodeType as NodeTypeContract, NodeTypeDescription } from '../node-contract/index.js';

/** The metadata that discovery looks for. */
export const NodeTypeMetadata = DiscoveryService.createDecorator<NodeTypeDescription>();

/**
 * Makes a class a node type and a provider. The class implements the engine's `NodeType` contract; listed in
 * the providers of any module of the application, it is found and registered when the application starts.
 */
export function NodeType(
  description: NodeTypeDescription,
): (target: new (...injected: never[]) => NodeTypeContract) => void {
  return applyDecorators(NodeTypeMetadata(description), Injectable());
}
