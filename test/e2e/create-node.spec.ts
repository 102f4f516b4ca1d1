import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FROM_NODE_TYPES_ROOM, nodeFiles, readNodeName } from '../../src/scaffolds/index.js';
import { runProgram } from '../../src/cli/program.js';
import { PluginFolder } from '../support/plugin-folder.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'workflow-create-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function create(...words: readonly string[]) {
  let [out, err] = ['', ''];
  const code = await runProgram(['create-node', ...words], {
    environment: () => ({ INIT_CWD: directory }),
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
}

it('the command `create-node` creates a package that compiles, lints and passes its own specs', async () => {
  const { code, out, err } = await create('acme.shout-loud', '--plugin');
  const folder = join(directory, 'acme-shout-loud');
  expect(code).toBe(0);
  expect(out.trimEnd().split('\n')).toEqual(
    [
      '.gitignore',
      'README.md',
      'package.json',
      'src/acme-shout-loud.node.spec.ts',
      'src/acme-shout-loud.node.ts',
      'src/acme-shout-loud.schema.ts',
      'src/plugin.ts',
      'tsconfig.json',
    ].map((path) => join(folder, path)),
  );
  expect(err).toContain(`WORKFLOW_PLUGINS=${folder} npm start`);
  const { engines, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    engines: unknown;
    devDependencies: Readonly<Record<string, string>>;
  };
  const service = JSON.parse(readFileSync('package.json', 'utf8')) as {
    engines: unknown;
    devDependencies: Readonly<Record<string, string>>;
  };
  expect(engines).toEqual(service.engines);
  expect(devDependencies['node']).toBe(service.devDependencies['node']);
  expect(resolve(folder, devDependencies['workflow-service']?.replace('file:', '') ?? '')).toBe(resolve('.'));
  const made = new PluginFolder(folder);
  made.compile();
  made.lint();
  made.test();
});

it('the command `create-node` creates a built-in node type whose spec passes', () => {
  // The test must not write to the source folder, so the test uses a folder with symbolic links to the sources.
  const folder = join(directory, 'src/node-types/shout');
  mkdirSync(folder, { recursive: true });
  const beside = ['src', 'src/node-types'].flatMap((path) =>
    readdirSync(path).map((name) => `${path}/${name}`),
  );
  for (const path of ['node_modules', 'package.json', ...beside.filter((one) => one !== 'src/node-types')])
    symlinkSync(resolve(path), join(directory, path));
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({
      extends: resolve('tsconfig.json'),
      compilerOptions: { rootDir: '/', noEmit: true },
      include: [folder, 'src/http/**/*.d.ts'],
    }),
  );
  for (const [path, text] of Object.entries(nodeFiles(readNodeName('shout'), FROM_NODE_TYPES_ROOM)))
    writeFileSync(join(folder, path), text);
  const modules = resolve('node_modules');
  const node = (...words: readonly string[]): void => {
    const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(modules, '.bin/tsgolint') };
    execFileSync(process.execPath, words, { cwd: directory, stdio: 'pipe', env });
  };
  node(join(modules, 'typescript/bin/tsc'));
  node(
    join(modules, 'oxlint/bin/oxlint'),
    '-c',
    resolve('.oxlintrc.json'),
    '--type-aware',
    '--deny-warnings',
    folder,
  );
  node(
    join(modules, 'prettier/bin/prettier.cjs'),
    '--config',
    resolve('.prettierrc.json'),
    '--check',
    folder,
  );
  node(join(modules, 'vitest/vitest.mjs'), 'run', '--root', directory, 'src/node-types/shout');
});

it('the command `create-node` adds a node type to a package, but does not overwrite an existing folder', async () => {
  expect(await create('again', '--dir', 'src')).toMatchObject({
    code: 0,
    err: "Next: add AgainNode to nodeTypes in the package's definePlugin.\n",
  });
  const folder = join(directory, 'src/again');
  expect(readdirSync(folder)).toEqual([
    'README.md',
    'again.node.spec.ts',
    'again.node.ts',
    'again.schema.ts',
  ]);
  expect(readFileSync(join(folder, 'again.node.ts'), 'utf8')).toContain("from 'workflow-service/node'");
  expect(await create('again', '--dir', 'src', '--plugin')).toEqual({
    code: 1,
    out: '',
    err: `The folder ${folder} already exists. Choose another name or another --dir.\n`,
  });
  expect(await create('http')).toMatchObject({ code: 1, out: '' });
});

it.each(['Shout', '../shout', 'shout..loud', '1st', 'a/b', 'constructor ', 'x'.repeat(65)])(
  'the command `create-node` rejects the name %j',
  async (name) => {
    const { code, out, err } = await create(name, '--plugin');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('must consist of lower-case letters and digits');
    expect(readdirSync(directory)).toEqual([]);
  },
);
