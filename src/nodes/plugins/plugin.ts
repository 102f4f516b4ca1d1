import type { Provider, Type } from '@nestjs/common';
import type { NodeType } from '../../node-contract/index.js';

/** Raised when a plug-in of before would no longer work. */
export const PLUGIN_API_VERSION = 1;

/** What a package of node types exports under the name `plugin`. */
export interface Plugin {
  /** The contract that it was written against. */
  readonly apiVersion: typeof PLUGIN_API_VERSION;
  /** Classes that carry `@NodeType`. */
  readonly nodeTypes: readonly Type<NodeType>[];
  /** What their constructors ask for, beside the service's clock. */
  readonly providers?: readonly Provider[];
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
