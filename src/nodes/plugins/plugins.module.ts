import { type DynamicModule, Module } from '@nestjs/common';
import type { LoadedPlugin } from './plugin.js';

const SOURCE = Symbol('the plug-in that a module is made for');

/** A Nest module per plug-in, so that plug-ins do not see each other's providers. */
@Module({})
export class PluginsModule {
  static forRoot(plugins: readonly LoadedPlugin[]): DynamicModule {
    return { module: PluginsModule, imports: plugins.map(moduleOf) };
  }
}

/** Name of a module's plug-in. Undefined for modules of the service. */
export function pluginOf(module: object | undefined): string | undefined {
  return module === undefined ? undefined : (Reflect.getMetadata(SOURCE, module) as string | undefined);
}

function moduleOf({ name, plugin }: LoadedPlugin): DynamicModule {
  @Module({})
  class PluginModule {}
  // Nest shows this name in errors about missing providers.
  Object.defineProperty(PluginModule, 'name', { value: `plug-in "${name}"` });
  Reflect.defineMetadata(SOURCE, name, PluginModule);
  return {
    module: PluginModule,
    imports: [...(plugin.modules ?? [])],
    providers: [...(plugin.nodeTypes ?? []), ...(plugin.providers ?? [])],
  };
}
