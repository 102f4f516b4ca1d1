import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SpawnedProgram } from '../support/spawned-program.js';

/** Writes the address of each module that the process loads into the file that the environment names. */
const LOADED_MODULES = `
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES, url + '\\n');
    return next(url, context);
  },
});
`;

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'workflow-bundle-'));
  await writeFile(join(directory, 'loaded-modules.mjs'), LOADED_MODULES);
});

afterEach(async () => {
  SpawnedProgram.killAll();
  await rm(directory, { recursive: true, force: true });
});

async function modulesLoaded(): Promise<readonly string[]> {
  return (await readFile(join(directory, 'loaded'), 'utf8')).split('\n');
}

/** Packages of which the process has loaded something from `node_modules`. */
async function packagesLoaded(): Promise<readonly string[]> {
  const names = (await modulesLoaded()).flatMap(
    (url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}

function watched(file: string, words: readonly string[] = []): SpawnedProgram {
  const settings = {
    PORT: '0',
    LOADED_MODULES: join(directory, 'loaded'),
    NODE_OPTIONS: `--import=${pathToFileURL(join(directory, 'loaded-modules.mjs')).href}`,
  };
  return new SpawnedProgram(file, directory, settings, words);
}

// A second copy of a package would know nothing of what is registered with the first, and cost its memory again.
describe('the bundle', () => {
  it('holds every package that a service loads, but those with binaries', async () => {
    const service = watched('dist/src/main.js');
    const url = await service.url();
    for (const path of ['/health/ready', '/openapi.json', '/dashboard/'])
      expect({ path, status: (await fetch(url + path)).status }).toEqual({ path, status: 200 });
    expect(await packagesLoaded()).toEqual(['better-sqlite3']);
  });

  it('holds every package that a command loads, but those with binaries', async () => {
    const command = watched('dist/src/cli/main.js', ['bootstrap', '--email', 'ada@example.com']);
    expect((await command.ended).code, command.err).toBe(0);
    expect(await packagesLoaded()).toEqual(['better-sqlite3']);
  });

  it('knows the file of src that a line of it came from', async () => {
    const command = watched('dist/src/cli/main.js', ['--help']);
    await command.ended;
    const program =
      (await modulesLoaded()).find((url) => /\/dist\/bundle\/program-[^/]+\.js$/.test(url)) ?? '';
    const { sources } = JSON.parse(await readFile(`${fileURLToPath(program)}.map`, 'utf8')) as {
      readonly sources: readonly string[];
    };
    expect(sources).toContain('../../src/cli/migrate.command.ts');
  });
});
