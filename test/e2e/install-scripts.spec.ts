import { execFile, type ExecFileException } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PackageRegistry } from '../support/package-registry.js';

const run = promisify(execFile);

describe('"npm start" on a fresh clone', () => {
  const directory = mkdtempSync(join(tmpdir(), 'workflow-install-'));
  const project = join(directory, 'project');
  const ran = join(directory, 'ran');
  const registry = new PackageRegistry(join(directory, 'registry'));

  beforeAll(async () => {
    for (const path of [ran, join(directory, 'registry'), join(project, 'tools/scripts')])
      mkdirSync(path, { recursive: true });
    for (const file of readdirSync('tools/scripts').filter((name) => name.endsWith('.mjs')))
      copyFileSync(join('tools/scripts', file), join(project, 'tools/scripts', file));
    copyFileSync('.npmrc', join(project, '.npmrc'));
    const mark = `require('node:fs').writeFileSync(require('node:path').join(process.env.RAN, require('./package.json').name), '');\n`;
    for (const name of ['allowed', 'denied', 'unlisted'])
      registry.publish(
        { name, version: '1.0.0', scripts: { postinstall: 'node mark.cjs' } },
        { 'mark.cjs': mark },
      );
    registry.publish(
      { name: 'node', version: '1.0.0', scripts: { preinstall: 'node mark.cjs' }, bin: { node: 'bin/node' } },
      {
        'mark.cjs': `${mark}require('node:fs').mkdirSync('bin');\nrequire('node:fs').symlinkSync(process.execPath, 'bin/node');\n`,
      },
    );
    await registry.start();
    const names = ['allowed', 'denied', 'unlisted', 'node'];
    writeFileSync(join(project, 'started.mjs'), `process.stdout.write('started');\n`);
    writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({
        name: 'project',
        version: '1.0.0',
        private: true,
        scripts: { start: 'exec node tools/scripts/with-install.mjs started.mjs' },
        dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])),
        allowScripts: { node: true, allowed: true, denied: false },
      }),
    );
    await npm('install', '--package-lock-only');
  });
  afterAll(async () => {
    await registry.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function npm(...words: readonly string[]): Promise<string> {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
    try {
      const { stdout } = await run('npm', words, {
        cwd: project,
        env: {
          ...env,
          RAN: ran,
          npm_config_registry: registry.url,
          npm_config_cache: join(directory, 'cache'),
        },
      });
      return stdout;
    } catch (error) {
      const { stdout, stderr } = error as ExecFileException;
      throw new Error(`npm ${words.join(' ')}:\n${stdout}\n${stderr}`, { cause: error });
    }
  }

  it('`npm start` runs only the install scripts that package.json allows', async () => {
    expect(await npm('start')).toContain('started');
    expect(readdirSync(ran).toSorted()).toEqual(['allowed', 'node']);
  });

  it('a second `npm start` runs no install scripts', async () => {
    rmSync(ran, { recursive: true });
    mkdirSync(ran);
    expect(await npm('start')).toContain('started');
    expect(readdirSync(ran)).toEqual([]);
  });

  it('the lock-file check fails if package.json neither allows nor denies an install script', async () => {
    const folder = join(project, 'tools/bench/peers');
    mkdirSync(folder, { recursive: true });
    copyFileSync('tools/bench/peers/package-lock.json', join(folder, 'package-lock.json'));
    await expect(
      run(process.execPath, [join(project, 'tools/scripts/lock-check.mjs')]),
    ).rejects.toMatchObject({
      stderr: 'package.json: unlisted has an install script, but no entry in allowScripts\n',
    });
  });
});
