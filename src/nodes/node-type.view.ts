import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../expressions/index.js';
import type { RegisteredNodeType } from './node-type.registry.js';

export class NodeCapabilitiesView {
  @ApiProperty({
    type: Boolean,
    description: 'True if nodes of this type change nothing outside their execution.',
    example: true,
  })
  pure: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'True if the service may reuse an earlier result of a node with equal input.',
    example: false,
  })
  cacheable: boolean;

  @ApiProperty({
    type: Boolean,
    description:
      'True if the service may reuse earlier results, as with `cacheable`, but only for nodes that set `cache`.',
    example: true,
  })
  cacheable_on_request: boolean;

  @ApiProperty({
    type: Boolean,
    description:
      'True if nodes of this type may suspend. A suspended execution waits in the database, not in memory.',
    example: false,
  })
  suspends: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'True if nodes of this type may start child executions.',
    example: false,
  })
  starts_children: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'True if nodes of this type run other nodes for each element of a list.',
    example: false,
  })
  iterates: boolean;
}

export class NodeTypeView {
  @ApiProperty({
    type: String,
    description: 'Name of the node type. Nodes of a workflow refer to it in `type`.',
    example: 'set',
  })
  type: string;

  @ApiProperty({
    type: 'integer',
    description: 'Version of the node type. A higher version may give a different output for the same input.',
    example: 1,
  })
  version: number;

  @ApiProperty({ type: String, example: 'Set' })
  title: string;

  @ApiProperty({
    type: String,
    example: 'Outputs a value that is built from expressions, for use by later nodes.',
  })
  description: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema (draft 2020-12) of the parameters in `with`.',
    example: { type: 'object', required: ['value'], properties: { value: {} } },
  })
  schema: JsonObject;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema (draft 2020-12) of the output of a node.',
    example: {},
  })
  output_schema: JsonObject;

  @ApiProperty({ type: NodeCapabilitiesView })
  capabilities: NodeCapabilitiesView;

  @ApiProperty({
    type: String,
    description: 'The package that provides the type: `workflow-service` or the name of a plug-in.',
    example: 'workflow-service',
  })
  source: string;
}

export function nodeTypeView({ description: of, source }: RegisteredNodeType): NodeTypeView {
  const { pure = false, cacheable = false, cacheableOnRequest = false } = of.capabilities;
  const { suspends = false, startsChildren = false, iterates = false } = of.capabilities;
  return {
    type: of.type,
    version: of.version,
    title: of.title,
    description: of.description,
    schema: of.schema,
    output_schema: of.outputSchema,
    capabilities: {
      pure,
      cacheable,
      cacheable_on_request: cacheableOnRequest,
      suspends,
      starts_children: startsChildren,
      iterates,
    },
    source,
  };
}
