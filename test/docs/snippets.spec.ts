import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { databaseKinds, databaseUrl } from '../support/database.js';
import { TestService } from '../support/service.js';
import { typeErrors } from '../support/type-errors.js';

interface Snippet {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const PAGES = [
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'README.md',
  'examples/README.md',
  'clients/typescript/README.md',
];
const snippets = PAGES.flatMap((page): readonly Snippet[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(
    ([, language = '', text = '']) => ({
      page,
      language,
      text,
    }),
  ),
);
const of = (...languages: readonly string[]): readonly Snippet[] =>
  snippets.filter(({ language }) => languages.includes(language));

/** Languages of snippets that the tests below do not check, each with the reason. */
const UNCHECKED: Readonly<Record<string, string>> = {
  ini: 'test/e2e/pgbouncer.spec.ts runs the service behind PgBouncer with these settings.',
};

/**
 * Shell commands that the test does not run, each with the reason. The test checks only the syntax of these commands,
 * and that their npm scripts exist.
 */
const NOT_RUN: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  {
    pattern: /\bnpm run (--silent )?cli -- create-(node|module)\b/,
    reason: 'They create packages outside of this folder, as test/e2e/create-module.spec.ts does.',
  },
  {
    pattern: /\bnpm start\b|\bnpm run (--silent )?proof\b/,
    reason: 'They start services, as test/e2e/first-run.spec.ts and test/e2e/event-proof.spec.ts do.',
  },
  {
    pattern: /\bnpm run ((--silent )?cli|migrate) -- /,
    reason:
      'They use the database of the settings. test/e2e/remote-commands.spec.ts runs such commands on its own.',
  },
  {
    pattern: /\bdocker\b/,
    reason: 'They need Docker. test/contracts/compose-files.spec.ts checks the files.',
  },
  {
    pattern: /\b(kubectl|helm)\b/,
    reason: 'They need a Kubernetes cluster. test/contracts/deployment.spec.ts checks the chart.',
  },
  {
    pattern: /\bpg_dump\b|\$BACKUPS\b/,
    reason: 'They stop and replace a database server. test/e2e/backup.spec.ts runs them on its own server.',
  },
  { pattern: /wfk_\.\.\./, reason: 'They contain a placeholder for the key of the reader.' },
];

/** Declarations of names that TypeScript snippets in the docs use but do not declare. */
const SURROUNDINGS = `
  declare const token: string;
  declare function draw(event: object): void;
  declare function showStep(node: string | null, duration: number): void;
  declare const workflow: string;
  declare function start(workflow: string, input: object): Promise<{ readonly id: string }>;
  declare function post(path: string, body: object): Promise<object>;
  declare function get(path: string): Promise<{ readonly status: string }>;
  declare const expect: typeof import('vitest').expect;
`;

/** Matches ids that docs pages show shortened. The field name determines the id that replaces a shortened id. */
const SHORTENED = /"(\w+)": "0199a8c0-…"/g;
const UNKNOWN_ID = '0199a8c0-5b5e-77e8-abe9-e0d39f87e583';

const isRun = (text: string): boolean => !NOT_RUN.some(({ pattern }) => pattern.test(text));
const runnable = of('sh').filter(({ text }) => isRun(text));
const pagesThatRun = [...new Set(runnable.map(({ page }) => page))];

let service: TestService;
let folder: string;
let environment: Readonly<Record<string, string>>;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'workflow-snippets-'));
  service = await TestService.start({ environment: { TEST_CLOCK: 'true' } });
  const workflow = await service.post('/v1/workflows', {
    name: 'of the pages',
    nodes: [{ id: 'a', type: 'set', with: { value: 1 } }],
  });
  const execution = await service.post(`/v1/workflows/${workflow.body.id}/executions`, {});
  const hook = await service.post<{ id: string; url: string }>('/v1/hooks', {
    workflow_id: workflow.body.id,
  });
  ids = { workflow_id: workflow.body.id, execution_id: execution.body.id };
  environment = {
    WORKFLOW_API_KEY: service.key,
    WORKFLOW: workflow.body.id,
    HOOK_URL: hook.body.url,
    SHOP_SECRET: 'secret of the shop',
    URL: service.baseUrl,
    ID: workflow.body.id,
    KEY: service.key,
  };
});

afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('shell commands in the docs', () => {
  it('docs/getting-started.md, docs/hooks.md and docs/ip-restrictions.md contain shell commands that a test runs', () => {
    expect(pagesThatRun).toEqual(
      expect.arrayContaining(['docs/getting-started.md', 'docs/hooks.md', 'docs/ip-restrictions.md']),
    );
  });

  it.each(pagesThatRun)('the shell commands in %s run without an error', async (page) => {
    const commands = runnable.filter((snippet) => snippet.page === page).map(({ text }) => filledIn(text));
    // `--fail-with-body` makes `curl` fail if the service responds with an error.
    const script = [
      'set -euo pipefail',
      'curl() { command curl --fail-with-body "$@"; echo; }',
      ...commands,
    ].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      cwd: folder,
      env: { ...process.env, ...environment },
    }).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${page}: ${error.stdout}${error.stderr}`);
    });
    if (page === 'docs/getting-started.md') expect(stdout).toContain('Hello Ada!');
  });

  it.each(of('sh').map(({ page, text }) => [page, text]))(
    'bash can parse the commands in %s: %s',
    (_, text) => {
      const written = text.replaceAll(/<([a-z ]+)>/g, (__, name: string) => name.replaceAll(' ', '_'));
      expect(() => execFileSync('bash', ['-n', '-c', written], { stdio: 'pipe' })).not.toThrow();
    },
  );

  it.each(NOT_RUN)(
    'each listed reason why tests skip shell commands of the docs applies to at least one command: $reason',
    ({ pattern, reason }) => {
      const kinds = of('sh').map(({ text }) => NOT_RUN.find((kind) => kind.pattern.test(text))?.pattern);
      expect(kinds).toContain(pattern);
      const specs = [...reason.matchAll(/[\w/-]+\.spec\.ts/g)].map(([spec]) => spec);
      expect(specs.filter((spec) => !existsSync(spec))).toEqual([]);
    },
  );

  it('every npm script and CLI command that the docs name exists', () => {
    const text = of('sh')
      .map((snippet) => snippet.text)
      .join('\n');
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Readonly<Record<string, string>>;
    };
    const npm = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
    expect([...new Set(npm)].filter((name) => scripts[name] === undefined)).toEqual([]);
    const help = execFileSync(process.execPath, ['dist/src/cli/main.js', '--help']).toString();
    const verbs = [...text.matchAll(/\bcli -- ([\w-]+)/g)].map(([, name = '']) => name);
    expect(verbs.length).toBeGreaterThan(10);
    expect([...new Set(verbs)].filter((name) => !new RegExp(`^ {2}${name} `, 'm').test(help))).toEqual([]);
  });
});

describe('JSON in the docs', () => {
  it.each(of('json').map(({ page, text }) => [page, text]))(
    'the JSON example in %s is valid JSON: %s',
    (_, text) => {
      expect(() => JSON.parse(text) as unknown).not.toThrow();
    },
  );

  const definitions = of('json').flatMap(({ page, text }) => {
    const value = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (Array.isArray(value['nodes'])) return [[page, value] as const];
    return typeof value['id'] === 'string' && typeof value['type'] === 'string' && 'with' in value
      ? [[page, { nodes: [value] }] as const]
      : [];
  });

  it.each(definitions)('the service accepts the workflow in %s', async (_, definition) => {
    const text = JSON.stringify({ name: 'of a page', ...definition }).replaceAll('"…"', `"${UNKNOWN_ID}"`);
    const { body } = await service.post<{ valid: boolean }>('/v1/workflows/validate', JSON.parse(text));
    expect(body).toMatchObject({ valid: true });
  });
});

describe('JavaScript and TypeScript in the docs', () => {
  it.each(of('js').map(({ page, text }) => [page, text]))(
    'the TypeScript compiler can parse the JavaScript in %s',
    (_, text) => {
      const { diagnostics = [] } = ts.transpileModule(text, {
        reportDiagnostics: true,
        compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
      });
      expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
    },
  );

  it('the TypeScript in the docs has no type errors', () => {
    const files = of('ts').map(({ page, text }, index): [path: string, text: string] => {
      const program = page.replaceAll(/\W/g, '-');
      const [, file] = /^\/\/ file: (\S+)\n/.exec(text) ?? [];
      return [`${program}/${file ?? `snippet-${index}.ts`}`, `${text}\nexport {};\n`];
    });
    expect(typeErrors(new Map([...files, ['surroundings.d.ts', SURROUNDINGS]]))).toEqual([]);
  });

  it.each(['docs/getting-started.md', 'README.md'])('the program in %s prints live events', async (page) => {
    const [program] = of('js').filter(
      (snippet) => snippet.page === page && snippet.text.includes('WebSocket'),
    );
    const file = join(folder, 'watch.mjs');
    writeFileSync(
      file,
      (program?.text ?? '').replace('ws://127.0.0.1:3000', service.baseUrl.replace('http', 'ws')),
    );
    const watching = execFile(process.execPath, [resolve(file)], { env: { ...process.env, ...environment } });
    let printed = '';
    watching.stdout?.on('data', (chunk: string) => (printed += chunk));
    try {
      await expect.poll(() => printed).toMatch(/\S/);
      await service.post(`/v1/workflows/${ids['workflow_id']}/executions`, {});
      await expect.poll(() => printed).toContain('workflow.completed');
    } finally {
      watching.kill();
    }
  });
});

it.each(of('yaml').map(({ page, text }) => [page, text]))('the YAML in %s is valid: %s', (_, text) => {
  expect(parse(text)).toBeTypeOf('object');
});

describe.each((await databaseKinds()).filter(({ name }) => name === 'postgres'))(
  'SQL in the docs',
  ({ create }) => {
    it.each(of('sql').map(({ page, text }) => [page, text]))(
      'PostgreSQL accepts the SQL in %s: %s',
      async (_, text) => {
        const database = await create();
        const client = new Client({ connectionString: databaseUrl(database.settings) });
        try {
          await client.connect();
          // Roles belong to the whole PostgreSQL server, so the transaction that creates a role is never committed.
          await client.query('BEGIN; CREATE ROLE snippet');
          await client.query(text.replaceAll('ROLE workflow', 'ROLE snippet'));
        } finally {
          await client.end();
          await database.drop();
        }
      },
    );
  },
);

it('every snippet language in the docs is checked, or is listed with a reason why it is not checked', () => {
  const checked = ['sh', 'json', 'js', 'ts', 'yaml', 'sql'];
  const languages = new Set(snippets.map(({ language }) => language));
  expect([...languages].toSorted()).toEqual([...checked, ...Object.keys(UNCHECKED)].toSorted());
});

/** Replaces addresses and ids of the docs with those of the service under test. */
function filledIn(text: string): string {
  return text
    .replaceAll(/https?:\/\/(127\.0\.0\.1:3000|workflows\.example\.com)(?=\/|"| )/g, service.baseUrl)
    .replaceAll(SHORTENED, (_, field: string) => `"${field}": "${ids[field] ?? UNKNOWN_ID}"`)
    .replaceAll(/https?:\S+\/hooks\/whk_…/g, environment['HOOK_URL'] ?? '');
}
