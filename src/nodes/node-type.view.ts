import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../expressions/index.js';
import type { RegisteredNodeType } from './node-type.registry.js';

export class NodeCapabilitiesView {
  @ApiProperty({ type: Boolean, description: 'The node has no external effects.', example: true })
  pure: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'An earlier result for equal input may be reused.',
    example: false,
  })
  cacheable: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'Like `cacheable`, but only for nodes that set `cache`.',
    example: true,
  })
  cacheable_on_request: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'The node may suspend. The execution then waits in the database and not in memory.',
    example: false,
  })
  suspends: boolean;

  @ApiProperty({ type: Boolean, description: 'The node may start child executions.', example: false })
  starts_children: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'The node runs other nodes for each element of a list.',
    example: false,
  })
  iterates: boolean;
}

export class NodeTypeView {
  @ApiProperty({ type: String, description: 'The value of `type` in a node of a workflow.', example: 'set' })
  type: string;

  @ApiProperty({
    type: 'integer',
    description: 'Version of the node type. It grows when the same input may give a different output.',
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
    description: 'JSON Schema (draft 2020-12) of `with`.',
    example: { type: 'object', required: ['value'], properties: { value: {} } },
  })
  schema: JsonObject;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema of the output.',
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
