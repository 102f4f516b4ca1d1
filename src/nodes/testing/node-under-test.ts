import { Module, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NodeType, NodeTypeDescription } from '../../node-contract/index.js';
import { ClockModule } from '../../platform/index.js';
import { NodeTypeMetadata } from '../node-type.decorator.js';
import { NodeTypeRegistry, type RegisteredNodeType } from '../node-type.registry.js';
import { NodeTestError } from './node-test.errors.js';

/** A node type under test. It is created and registered in the same way as in the service. */
export interface NodeUnderTest {
  readonly registry: NodeTypeRegistry;
  readonly registered: RegisteredNodeType;
}

@Module({})
class AloneModule {}

/**
 * Creates a node type with its dependencies, passes it to `work`, and then closes the Nest application.
 * @param providers dependencies in addition to the clock
 * @throws NodeTestError for a class without `@NodeType`; NodeTypeRegistrationError for a class that the service
 * rejects; Nest's error if a provider is missing
 */
export async function withNodeType<T>(
  type: Type<NodeType>,
  providers: readonly Provider[],
  work: (node: NodeUnderTest) => Promise<T>,
): Promise<T> {
  const description = Reflect.getMetadata(NodeTypeMetadata.KEY, type) as NodeTypeDescription | undefined;
  if (description === undefined)
    throw new NodeTestError([`The class ${type.name} has no @NodeType decorator. Add the decorator.`]);
  const application = await NestFactory.createApplicationContext(
    { module: AloneModule, imports: [ClockModule], providers: [...providers, type] },
    { logger: false, abortOnError: false },
  );
  try {
    const registry = new NodeTypeRegistry();
    registry.register(description, application.get<NodeType>(type));
    const registered = registry.get(description.type) as RegisteredNodeType;
    return await work({ registry, registered });
  } finally {
    await application.close();
  }
}
