import type { ReactNode } from 'react';
import { rich } from '../rich.ts';

/** Texts of the node type reference. */
export const texts = {
  parameter: 'Parameter',
  required: ', required',
  meaning: 'Description',
  summary: (type: ReactNode, version: number, source: ReactNode, capabilities: string) =>
    rich`${type}, version ${version}, from ${source}. ${capabilities}.`,
  example: 'Example',
  exampleNode: 'example node',
  parameters: 'Parameters',
  schemaOnly: 'This schema describes the parameters of the node type:',
  parameterSchema: 'Parameter schema',
  parameterSchemaData: 'parameter schema',
  outputSchema: 'Output schema',
  outputSchemaData: 'output schema',
  pure: 'No side effects',
  sideEffects: 'May have side effects',
  cacheable: 'Cacheable',
  suspends: 'May suspend',
  show: 'Show',
  showType: (type: string) => `Show ${type}`,
  type: 'Type',
  description: 'Description',
  capabilities: 'Capabilities',
  source: 'Source',
  reference: 'Reference',
  nodeTypes: 'Node types',
  nodeTypeNoun: ['node type', 'node types'] satisfies readonly [string, string],
  noNodeTypes: 'No node types',
  anyType: 'any',
  atLeast: 'At least',
  atMost: 'At most',
  default: 'Default',
};
