import { type DynamicModule, Module } from '@nestjs/common';
import type { LoadedPlugin } from './plugin.js';

const SOURCE = Symbol('the plug-in that a module is made for');

/** Creates one Nest module for each plug-in, so that a plug-in cannot inject the providers of another plug-in. */
@Module({})
export class PluginsModule {
  static forRoot(plugins: readonly LoadedPlugin[]): DynamicModule {
    return { module: PluginsModule, imports: plugins.map(moduleOf) };
  }
}

/** Returns the name of the plug-in to which a Nest module belongs; undefined for modules of the service. */
export function pluginOf(module: object | undefined): string | undefined {
  return module === undefined ? undefined : (Reflect.getMetadata(SOURCE, module) as string | undefined);
}

function moduleOf({ name, plugin }: LoadedPlugin): DynamicModule {
  @Module({})
  class PluginModule {}
  // The class name contains the name of the plug-in, because Nest shows the class name in errors about missing
  // providers.
  Object.defineProperty(PluginModule, 'name', { value: `plug-in "${name}"` });
  Reflect.defineMetadata(SOURCE, name, PluginModule);
  return {
    module: PluginModule,
    imports: [...(plugin.modules ?? [])],
    providers: [...(plugin.nodeTypes ?? []), ...(plugin.providers ?? [])],
  };
}
