import { readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import {
  type Files,
  FROM_NODE_TYPES_ROOM,
  FROM_PACKAGE,
  nodeFiles,
  type NodeName,
  nodeReadme,
  pluginFiles,
  readNodeName,
} from '../scaffolds/index.js';
import { invokedFrom, readDirectory, serviceRoot, writeNewFolder } from './new-folder.js';
import type { Terminal } from './terminal.js';

interface CreateNodeOptions {
  readonly dir?: string;
  readonly plugin?: true;
}

/** The files of a new node type, and the instructions that the command prints for the user. */
interface Creation {
  readonly files: Files;
  readonly next: readonly string[];
}

/** `create-node`: creates a folder with a sample node type that runs without changes. */
export function defineCreateNodeCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<name>', 'name of the type, such as acme.shout', readNodeName)
    .option(
      '--dir <path>',
      'parent folder of the new folder; default: src/node-types, or the current folder with --plugin',
      readDirectory,
    )
    .option('--plugin', 'create a separate package, for WORKFLOW_PLUGINS')
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
      `Next: run npm install && npm test in ${folder}`,
      `Then: run WORKFLOW_PLUGINS=${folder} npm start in ${root}`,
    ],
  };
}

function newNode(name: NodeName, builtIn: boolean): Creation {
  const { file, pascal } = name;
  const registration = builtIn
    ? 'To register the node type, export it in `src/node-types/built-in-types.ts`.'
    : "To register the node type, add it to `nodeTypes` in the plug-in's `definePlugin`.";
  const next = builtIn
    ? [
        'Next, add to src/node-types/built-in-types.ts:',
        `  export { ${pascal}Node } from './${file}/${file}.node.js';`,
      ]
    : [`Next: add ${pascal}Node to nodeTypes in the package's definePlugin.`];
  const files = nodeFiles(name, builtIn ? FROM_NODE_TYPES_ROOM : FROM_PACKAGE);
  return { files: { ...files, 'README.md': nodeReadme(name, registration) }, next };
}
