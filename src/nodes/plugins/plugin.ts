import type { DynamicModule, Provider, Type } from '@nestjs/common';
import type { MigrationClass } from '../../database/index.js';
import type { NodeType } from '../../node-contract/index.js';

/** Version of the contract between plug-ins and the service. Every incompatible change increases the version. */
export const PLUGIN_API_VERSION = 1;

/** Value that a plug-in's package exports as `plugin`. A plug-in contains node types, Nest modules, or both. */
export interface Plugin {
  /** Version of the plug-in contract for which the plug-in was written. */
  readonly apiVersion: typeof PLUGIN_API_VERSION;
  /** Classes of node types, each with the decorator `@NodeType`. */
  readonly nodeTypes?: readonly Type<NodeType>[];
  /** Nest providers that the node types inject, in addition to the clock and the exports of `modules`. */
  readonly providers?: readonly Provider[];
  /**
   * Nest modules of the plug-in, with controllers, gateways, entities (`TypeOrmModule.forFeature`) or guards
   * (`APP_GUARD`).
   */
  readonly modules?: readonly (Type | DynamicModule)[];
  /** Migrations of the plug-in's tables, oldest first. They run after the migrations of the service. */
  readonly migrations?: readonly MigrationClass[];
}

/** Returns the plug-in unchanged. The call lets TypeScript check the type of the plug-in. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin;
}

export interface LoadedPlugin {
  /** Name of the plug-in in its package.json. */
  readonly name: string;
  readonly plugin: Plugin;
}

/** Returns the migrations of each plug-in, in the order of `WORKFLOW_PLUGINS`. */
export function pluginSchemas(plugins: readonly LoadedPlugin[]): readonly {
  readonly plugin: string;
  readonly migrations: NonNullable<Plugin['migrations']>;
}[] {
  return plugins.map(({ name, plugin }) => ({ plugin: name, migrations: plugin.migrations ?? [] }));
}
