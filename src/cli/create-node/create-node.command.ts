import { readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { type Files, invokedFrom, readDirectory, serviceRoot, writeNewFolder } from '../new-folder.js';
import type { Terminal } from '../terminal.js';
import { FROM_NODE_TYPES_ROOM, FROM_PACKAGE, nodeFiles, nodeReadme } from './node-files.js';
import { type NodeName, readNodeName } from './node-name.js';
import { pluginFiles } from './plugin-files.js';

interface CreateNodeOptions {
  readonly dir?: string;
  readonly plugin?: true;
}

/** The created files, and the remaining manual steps. */
interface Creation {
  readonly files: Files;
  readonly next: readonly string[];
}

/** `create-node`: creates the folder of a new, working node type. */
export function defineCreateNodeCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<name>', 'of the type, such as acme.shout', readNodeName)
    .option(
      '--dir <path>',
      'where the folder is made; without it src/node-types, with --plugin here',
      readDirectory,
    )
    .option('--plugin', 'make a package of its own, for WORKFLOW_PLUGINS')
    .action((name: NodeName, { dir, plugin }: CreateNodeOptions) => {
      const root = serviceRoot();
      const within = resolve(
        invokedFrom(terminal),
        dir ?? (plugin === true ? '.' : join(root, 'src/node-types')),
      );
      const folder = join(within, name.file);
      const { files, next } =
        plugin === true
          ? newPlugin(name, folder, root)
          : newNode(name, within === join(root, 'src/node-types'));
      writeNewFolder(folder, files, terminal);
      for (const line of next) terminal.err(`${line}\n`);
    });
}

function newPlugin(name: NodeName, folder: string, root: string): Creation {
  const { version, engines, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as {
    readonly version: string;
    readonly engines: { readonly node: string };
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  return {
    files: pluginFiles(name, {
      version,
      servicePath: relative(folder, root).split(sep).join('/'),
      typescript: devDependencies['typescript'] ?? '*',
      nodeTypes: devDependencies['@types/node'] ?? '*',
      engine: engines.node,
      node: devDependencies['node'] ?? engines.node,
    }),
    next: [
      `Next: npm install && npm test, in ${folder}`,
      `Then: WORKFLOW_PLUGINS=${folder} npm start, in ${root}`,
    ],
  };
}

function newNode(name: NodeName, builtIn: boolean): Creation {
  const { file, pascal } = name;
  const listing = builtIn
    ? 'It is exported by `src/node-types/built-in-types.ts`.'
    : 'It is listed in `nodeTypes` of the `definePlugin` of its package.';
  const next = builtIn
    ? [
        'Next, in src/node-types/built-in-types.ts:',
        `  export { ${pascal}Node } from './${file}/${file}.node.js';`,
      ]
    : [`Next: list ${pascal}Node in the nodeTypes of the package's definePlugin.`];
  const files = nodeFiles(name, builtIn ? FROM_NODE_TYPES_ROOM : FROM_PACKAGE);
  return { files: { ...files, 'README.md': nodeReadme(name, listing) }, next };
}
