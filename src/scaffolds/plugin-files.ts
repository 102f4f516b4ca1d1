import type { Files } from './files.js';
import { FROM_PACKAGE, nodeFiles, nodeReadme } from './node-files.js';
import type { NodeName } from './node-name.js';

/** Versions and paths that are written to the files of a new plug-in. */
export interface PluginSurroundings {
  readonly version: string;
  /** Path from the folder of the plug-in to the folder of the service, with slashes. */
  readonly servicePath: string;
  /** Version of TypeScript with which the service is built. */
  readonly typescript: string;
  readonly nodeTypes: string;
  /** Range of supported Node.js versions; `node` is the tested version. */
  readonly engine: string;
  readonly node: string;
}

/**
 * Test script in `package.json` of the plug-in. It first imports `workflow-service/node-version`, which fails with a
 * clear message on an unsupported version of Node.js.
 */
const TEST = `node -e "import('workflow-service/node-version')" && tsc && node --test "dist/**/*.spec.js"`;

/** Returns the files of a package with one node type. The package can be built, tested and used as a plug-in. */
export function pluginFiles(name: NodeName, surroundings: PluginSurroundings): Files {
  const { file, pascal } = name;
  const inSources = Object.entries(nodeFiles(name, FROM_PACKAGE)).map(([path, text]) => [
    `src/${path}`,
    text,
  ]);
  return {
    ...(Object.fromEntries(inSources) as Files),
    'src/plugin.ts': `import { definePlugin } from 'workflow-service/node';
import { ${pascal}Node } from './${file}.node.js';

export const plugin = definePlugin({ apiVersion: 1, nodeTypes: [${pascal}Node] });
`,
    'package.json': json(manifest(file, surroundings)),
    'tsconfig.json': json(TSCONFIG),
    '.gitignore': 'node_modules/\ndist/\n',
    'README.md': nodeReadme(
      name,
      `To build and test the plug-in, run \`npm install && npm test\` in this folder. To load it, start the service with the\nsetting \`WORKFLOW_PLUGINS\` set to the path of this folder.`,
    ),
  };
}

function manifest(name: string, surroundings: PluginSurroundings): object {
  const { version, servicePath, typescript, nodeTypes, engine, node } = surroundings;
  return {
    name,
    version: '1.0.0',
    private: true,
    type: 'module',
    exports: './dist/plugin.js',
    files: ['dist'],
    engines: { node: engine },
    scripts: { build: 'tsc', test: TEST },
    peerDependencies: { 'workflow-service': `^${version}` },
    devDependencies: {
      '@types/node': nodeTypes,
      // The npm package `node` installs Node.js, which npm scripts then use instead of the Node.js of the machine.
      node,
      typescript,
      'workflow-service': `file:${servicePath}`,
    },
    allowScripts: { node: true },
  };
}

const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    rootDir: 'src',
    outDir: 'dist',
    declaration: true,
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    experimentalDecorators: true,
  },
  include: ['src'],
};

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
