import type { DynamicModule, Provider, Type } from '@nestjs/common';
import type { MigrationClass } from '../../database/index.js';
import type { NodeType } from '../../node-contract/index.js';

/** Raised when a plug-in of before would no longer work. */
export const PLUGIN_API_VERSION = 1;

/** What a plug-in exports under the name `plugin`: node types, modules, or both. */
export interface Plugin {
  /** The contract that it was written against. */
  readonly apiVersion: typeof PLUGIN_API_VERSION;
  /** Classes that carry `@NodeType`. */
  readonly nodeTypes?: readonly Type<NodeType>[];
  /** What their constructors ask for, beside the service's clock and what `modules` export. */
  readonly providers?: readonly Provider[];
  /** Nest modules, with controllers, gateways, entities by `TypeOrmModule.forFeature`, guards as `APP_GUARD`. */
  readonly modules?: readonly (Type | DynamicModule)[];
  /** Steps of the schema of its own tables, oldest first; they run after those of the service. */
  readonly migrations?: readonly MigrationClass[];
}

/** Gives back what it is given; the compiler then says what is missing. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin;
}

/** A plug-in that was found, read and checked. */
export interface LoadedPlugin {
  /** The name in its package.json. */
  readonly name: string;
  readonly plugin: Plugin;
}

/** What plug-ins bring of tables, in the order of the setting. */
export function pluginSchemas(plugins: readonly LoadedPlugin[]): readonly {
  readonly plugin: string;
  readonly migrations: NonNullable<Plugin['migrations']>;
}[] {
  return plugins.map(({ name, plugin }) => ({ plugin: name, migrations: plugin.migrations ?? [] }));
}
