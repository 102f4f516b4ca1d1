import { type DynamicModule, Module } from '@nestjs/common';
import type { LoadedPlugin } from './plugin.js';

const SOURCE = Symbol('the plug-in that a module is made for');

/** A module for each plug-in: what one provides, no other sees. */
@Module({})
export class PluginsModule {
  static forRoot(plugins: readonly LoadedPlugin[]): DynamicModule {
    return { module: PluginsModule, imports: plugins.map(moduleOf) };
  }
}

/** The plug-in that a module was made for; undefined for modules of the service. */
export function pluginOf(module: object | undefined): string | undefined {
  return module === undefined ? undefined : (Reflect.getMetadata(SOURCE, module) as string | undefined);
}

function moduleOf({ name, plugin }: LoadedPlugin): DynamicModule {
  @Module({})
  class PluginModule {}
  // Nest names the module where a provider is missing.
  Object.defineProperty(PluginModule, 'name', { value: `plug-in "${name}"` });
  Reflect.defineMetadata(SOURCE, name, PluginModule);
  return {
    module: PluginModule,
    imports: [...(plugin.modules ?? [])],
    providers: [...(plugin.nodeTypes ?? []), ...(plugin.providers ?? [])],
  };
}
