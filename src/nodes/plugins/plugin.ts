import type { DynamicModule, Provider, Type } from '@nestjs/common';
import type { MigrationClass } from '../../database/index.js';
import type { NodeType } from '../../node-contract/index.js';

/** Version of the plug-in contract. Increased on incompatible changes. */
export const PLUGIN_API_VERSION = 1;

/** The export `plugin` of a plug-in: node types, modules, or both. */
export interface Plugin {
  /** Version of the contract for which the plug-in was written. */
  readonly apiVersion: typeof PLUGIN_API_VERSION;
  /** Classes with `@NodeType`. */
  readonly nodeTypes?: readonly Type<NodeType>[];
  /** Dependencies of the node types, in addition to the clock and the exports of `modules`. */
  readonly providers?: readonly Provider[];
  /** Nest modules with controllers, gateways, entities (`TypeOrmModule.forFeature`) and guards (`APP_GUARD`). */
  readonly modules?: readonly (Type | DynamicModule)[];
  /** Migrations of the plug-in's tables, oldest first, which follow the migrations of the service. */
  readonly migrations?: readonly MigrationClass[];
}

/** Returns the plug-in unchanged, with its type checked. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin;
}

export interface LoadedPlugin {
  /** Name from the plug-in's package.json. */
  readonly name: string;
  readonly plugin: Plugin;
}

/** The migrations of each plug-in, in the order of `WORKFLOW_PLUGINS`. */
export function pluginSchemas(plugins: readonly LoadedPlugin[]): readonly {
  readonly plugin: string;
  readonly migrations: NonNullable<Plugin['migrations']>;
}[] {
  return plugins.map(({ name, plugin }) => ({ plugin: name, migrations: plugin.migrations ?? [] }));
}
