import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError } from 'commander';
import { CommandError } from '../command-error.js';
import type { Terminal } from '../terminal.js';
import { type Files, FROM_NODE_TYPES_ROOM, FROM_PACKAGE, nodeFiles, nodeReadme } from './node-files.js';
import { type NodeName, readNodeName } from './node-name.js';
import { pluginFiles } from './plugin-files.js';

interface CreateNodeOptions {
  readonly dir?: string;
  readonly plugin?: true;
}

/** What is made, and what is left to do by hand. */
interface Creation {
  readonly files: Files;
  readonly next: readonly string[];
}

/** `create-node`: the folder of a new node type, which works as it is made. */
export function addCreateNodeCommand(program: Command, terminal: Terminal): void {
  program
    .command('create-node')
    .description('make the folder of a new node type: class, schema, spec and README')
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
      if (existsSync(folder))
        throw new CommandError(`${folder} is there already; choose another name, or another --dir.`);
      const { files, next } =
        plugin === true
          ? newPlugin(name, folder, root)
          : newNode(name, within === join(root, 'src/node-types'));
      write(folder, files);
      for (const path of Object.keys(files).toSorted()) terminal.out(`${join(folder, path)}\n`);
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

function write(folder: string, files: Files): void {
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { flag: 'wx' });
    }
  } catch (error) {
    throw new CommandError(
      `${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
      { cause: error },
    );
  }
}

/** The folder of the service's own package.json, above this file, built or not. */
function serviceRoot(from = dirname(fileURLToPath(import.meta.url))): string {
  return existsSync(join(from, 'package.json')) ? from : serviceRoot(dirname(from));
}

/** Where the person is: npm runs scripts in the folder of the package. */
function invokedFrom({ environment }: Terminal): string {
  return environment()['INIT_CWD'] ?? process.cwd();
}

function readDirectory(path: string): string {
  if (path.trim() !== '') return path;
  throw new InvalidArgumentError('It must name a folder.');
}
