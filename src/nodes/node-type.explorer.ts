import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { NodeType } from '../node-contract/index.js';
import { NodeTypeMetadata, SchemasAreTested } from './node-type.decorator.js';
import { NodeTypeRegistrationError } from './node-type.errors.js';
import { NodeTypeRegistry } from './node-type.registry.js';
import { pluginOf } from './plugins/plugins.module.js';

/** Registers all providers with the decorator `@NodeType`, from all Nest modules. */
@Injectable()
export class NodeTypeExplorer implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly registry: NodeTypeRegistry,
  ) {}

  onModuleInit(): void {
    for (const provider of this.discovery.getProviders({ metadataKey: NodeTypeMetadata.KEY })) {
      const description = this.discovery.getMetadataByDecorator(NodeTypeMetadata, provider);
      if (description === undefined) continue;
      if (!provider.isDependencyTreeStatic())
        throw new NodeTypeRegistrationError(
          String(provider.name),
          'a node type must be a singleton, but this class or one of its dependencies is request-scoped.',
        );
      const module = provider.host?.metatype;
      this.registry.register(description, provider.instance as NodeType, {
        source: pluginOf(module),
        compile: module && Reflect.hasMetadata(SchemasAreTested.KEY, module) ? 'on use' : 'now',
      });
    }
  }
}
