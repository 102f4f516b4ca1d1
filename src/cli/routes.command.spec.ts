import 'reflect-metadata';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Get, Logger, Module, Post } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWholeService, type WholeService } from '../../test/support/whole-service.js';
import { Authenticated, Public, RequireScope } from '../access/index.js';
import { runProgram } from './program.js';
import { routeTable } from './route-table.js';

Logger.overrideLogger(false);

async function run(...words: readonly string[]): Promise<string> {
  let [out, err] = ['', ''];
  const code = await runProgram(['routes', ...words], {
    environment: () => ({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }),
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

/**
 * Routes that are not in the OpenAPI document: API documents, metrics, dashboard, docs site and the catch-all route.
 */
const UNDESCRIBED = /^\/(metrics$|openapi\.json|swagger|dashboard|docs|\{\*path\})/;

describe('the command routes', () => {
  let service: WholeService;

  beforeAll(async () => {
    service = await startWholeService();
  });
  afterAll(() => service.close());

  it('`routes` prints the table of docs/routes.md', async () => {
    const file = readFileSync(new URL('../../docs/routes.md', import.meta.url), 'utf8');
    const [, table] = /<!-- routes:begin -->\n\n([^]*)\n<!-- routes:end -->/.exec(file) ?? [];
    expect(table, 'npm run cli -- routes --write updates the table').toBe(await run('--markdown'));
  });

  it('`routes --write` replaces the table of docs/routes.md', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'routes-'));
    const before = process.cwd();
    mkdirSync(join(folder, 'docs'));
    const file = join(folder, 'docs/routes.md');
    writeFileSync(file, '# Above\n\n<!-- routes:begin -->\n\nold $&\n\n<!-- routes:end -->\n\nbelow\n');
    try {
      process.chdir(folder);
      expect(await run('--write')).toBe('docs/routes.md was updated.\n');
      expect(readFileSync(file, 'utf8')).toBe(
        `# Above\n\n<!-- routes:begin -->\n\n${await run('--markdown')}\n<!-- routes:end -->\n\nbelow\n`,
      );
      expect(await run('--write')).toBe('docs/routes.md is up to date.\n');
    } finally {
      process.chdir(before);
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('`routes` lists exactly the routes that `/openapi.json` describes', async () => {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: Readonly<Record<string, Readonly<Record<string, { security?: readonly object[] }>>>>;
    };
    // docs/routes.md describes all `/v0` routes in one sentence, so the comparison omits them.
    const paths = Object.fromEntries(
      Object.entries(document.paths).filter(([path]) => !path.startsWith('/v0/')),
    );
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = JSON.parse(await run('--json')) as readonly {
      method: string;
      path: string;
      kind: string;
      scope?: string;
    }[];
    const known = routes.filter(({ path }) => !UNDESCRIBED.test(path));
    expect(known.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(described.toSorted());
    const open = Object.entries(paths).flatMap(([path, operations]) =>
      Object.values(operations).some(({ security }) => security?.some((one) => Object.keys(one).length === 0))
        ? [path]
        : [],
    );
    expect(new Set(known.filter(({ kind }) => kind === 'public').map(({ path }) => path))).toEqual(
      new Set(open),
    );
  });

  it('`routes` without options prints one route per line', async () => {
    const lines = (await run()).trimEnd().split('\n');
    expect(lines).toContainEqual(expect.stringMatching(/^GET {5}\/v1\/workflows\/\{id\} +workflows:read$/));
    expect(lines).toContainEqual(expect.stringMatching(/^GET {5}\/health\/live +public$/));
    expect(lines).toContainEqual(expect.stringMatching(/^GET {5}\/server\/version +authenticated$/));
  });
});

describe('routeTable', () => {
  @Controller(['one', '/two/'])
  class PairController {
    @Public()
    @Get()
    root(): void {}

    @RequireScope('keys:read')
    @Post([':id', ':id/more'])
    more(): void {}
  }

  @Controller()
  class OpenController {
    @Get('forgotten')
    forgotten(): void {}
  }

  @Controller('late')
  class LateController {
    @Authenticated()
    @Get()
    root(): void {}
  }

  @Module({ controllers: [PairController] })
  class PairModule {}

  @Module({})
  class LateModule {}

  @Module({ imports: [PairModule, Promise.resolve({ module: LateModule, controllers: [LateController] })] })
  class WholeModule {}

  @Module({ imports: [PairModule], controllers: [OpenController] })
  class CarelessModule {}

  it('`routeTable` lists the routes of imported modules, and every path of a controller or handler with several paths', async () => {
    const own = (await routeTable(WholeModule)).filter(({ path }) => !UNDESCRIBED.test(path));
    expect(own.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /late',
      'GET /one',
      'POST /one/{id}',
      'POST /one/{id}/more',
      'GET /two',
      'POST /two/{id}',
      'POST /two/{id}/more',
    ]);
  });

  it('`routeTable` throws for a handler that declares no access rule', async () => {
    await expect(routeTable(CarelessModule)).rejects.toThrow(
      'OpenController.forgotten has no access decorator.',
    );
  });
});
