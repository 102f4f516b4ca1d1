import { applyDecorators, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { NodeType as NodeTypeContract, NodeTypeDescription } from '../node-contract/index.js';

/** The metadata by which the service discovers node types. */
export const NodeTypeMetadata = DiscoveryService.createDecorator<NodeTypeDescription>();

/**
 * Marks a class as node type and provider. The class implements the `NodeType` contract. List the class in the
 * providers of any module; the service registers it at startup.
 */
export function NodeType(
  description: NodeTypeDescription,
): (target: new (...injected: never[]) => NodeTypeContract) => void {
  return applyDecorators(NodeTypeMetadata(description), Injectable());
}
