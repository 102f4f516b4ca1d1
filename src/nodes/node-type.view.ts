import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../expressions/index.js';
import type { RegisteredNodeType } from './node-type.registry.js';

/** Capabilities of a node type. */
export class NodeCapabilitiesView {
  @ApiProperty({ type: Boolean, description: 'It touches nothing outside its result.', example: true })
  pure: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'An equal earlier result may be used instead of running it.',
    example: false,
  })
  cacheable: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'The same, yet only where the node itself says `cache`.',
    example: true,
  })
  cacheable_on_request: boolean;

  @ApiProperty({ type: Boolean, description: 'It may sleep, held by the database alone.', example: false })
  suspends: boolean;

  @ApiProperty({ type: Boolean, description: 'It may start another execution.', example: false })
  starts_children: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'It runs nodes of its own for each element of a list.',
    example: false,
  })
  iterates: boolean;
}

/** A node type of the catalog. */
export class NodeTypeView {
  @ApiProperty({ type: String, description: "The `type` of a workflow's node.", example: 'set' })
  type: string;

  @ApiProperty({
    type: 'integer',
    description: 'Raised when the same input may give another output.',
    example: 1,
  })
  version: number;

  @ApiProperty({ type: String, example: 'Set' })
  title: string;

  @ApiProperty({
    type: String,
    example: 'Gives a value, put together from expressions, for later nodes to use.',
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
    description: "The package that it comes from: `workflow-service`, or a plug-in's name.",
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
