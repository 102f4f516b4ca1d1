import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pluginFiles, readNodeName } from '../../src/scaffolds/index.js';

const run = promisify(execFile);

interface PackageJson {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as PackageJson;
const least = manifest.engines.node.replace('>=', '');
const folder = mkdtempSync(join(tmpdir(), 'workflow-older-node-'));

beforeAll(() => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/workflow-service'), 'dir');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program under the installed Node.js, which reports the given version in `process.versions.node`. */
async function runAs(version: string, program: string, ...words: readonly string[]): Promise<object> {
  const pretend = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  try {
    return await run(program, words, {
      cwd: folder,
      // The installed Node.js comes first in PATH. Otherwise npm scripts would use the Node.js that npm installed as a
      // dependency.
      env: {
        ...env,
        PATH: `${dirname(process.execPath)}${delimiter}${env['PATH'] ?? ''}`,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretend)}`,
      },
    });
  } catch (error) {
    return error as object;
  }
}

describe.each(['20.20.2', '22.18.0'])('on Node.js %s', (version) => {
  it.each([
    'dist/src/main.js',
    'dist/src/cli/main.js',
    'dist/tools/demo/main.js',
    'tools/proof-kit/main.mjs',
  ])(
    'the program %s exits with one line that names the required version if Node.js is too old',
    async (entry) => {
      expect(await runAs(version, process.execPath, resolve(entry))).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          new RegExp(`^.* Node.js ${least} or newer; this is ${version}\\..*\n$`),
        ),
      });
    },
  );

  it('the test script of a new plug-in exits with one line that names the required version if Node.js is too old', async () => {
    const files = pluginFiles(readNodeName('acme.shout'), {
      version: '1.0.0',
      servicePath: '..',
      typescript: '*',
      nodeTypes: '*',
      engine: manifest.engines.node,
      node: '*',
    });
    const { scripts } = JSON.parse(files['package.json'] ?? '') as PackageJson;
    expect(await runAs(version, 'sh', '-c', scripts['test'] ?? '')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^.* Node.js ${least} or newer; this is ${version}\\..*\n$`)),
    });
  });
});

it('tools/proof-kit/main.mjs starts on the oldest Node.js version that package.json allows', async () => {
  expect(
    await runAs(`${least}.0`, process.execPath, resolve('tools/proof-kit/main.mjs'), '--wrong'),
  ).toMatchObject({
    stderr: expect.stringContaining("Unknown option '--wrong'"),
  });
});

it('the README names the oldest supported Node.js version and the version that npm scripts use', () => {
  const readme = readFileSync('README.md', 'utf8');
  const section = readme.slice(readme.indexOf('## Node.js'), readme.indexOf('## More'));
  expect(section).toContain(`${least} or newer`);
  expect(section).toContain(manifest.devDependencies['node']);
});
