import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestService } from '../support/service.js';

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

/**
 * Matches commands that start services, need other programs, or need values that only a reader has. The test checks the
 * syntax of these commands but does not run them.
 */
const NOT_RUN =
  /\b(npm|npx|docker|kubectl|helm|createdb|pg_dump|pg_ctl|pg_basebackup|systemctl)\b|\$BACKUPS|wfk_\.\.\.|<[a-z ]+>/;
/** Ids that pages show shortened. The name of the field tells which id is meant. */
const SHORTENED = /"(\w+)": "0199a8c0-…"/g;
const UNKNOWN_ID = '0199a8c0-5b5e-77e8-abe9-e0d39f87e583';

const runnable = of('sh').filter(({ text }) => !NOT_RUN.test(text));
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
  it('the test runs the commands of several docs pages', () => {
    expect(pagesThatRun).toEqual(
      expect.arrayContaining(['docs/getting-started.md', 'docs/hooks.md', 'docs/ip-restrictions.md']),
    );
  });

  it.each(pagesThatRun)('the commands in %s work', { timeout: 120_000 }, async (page) => {
    const commands = runnable.filter((snippet) => snippet.page === page).map(({ text }) => filledIn(text));
    // `curl` fails if the service responds with an error.
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
  it.each(of('json').map(({ page, text }) => [page, text]))('the JSON in %s is valid: %s', (_, text) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  const definitions = of('json').flatMap(({ page, text }) => {
    const value = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (Array.isArray(value['nodes'])) return [[page, value] as const];
    return typeof value['id'] === 'string' && typeof value['type'] === 'string' && 'with' in value
      ? [[page, { nodes: [value] }] as const]
      : [];
  });

  it.each(definitions)('a workflow in %s is valid', async (_, definition) => {
    const text = JSON.stringify({ name: 'of a page', ...definition }).replaceAll('"…"', `"${UNKNOWN_ID}"`);
    const { body } = await service.post<{ valid: boolean }>('/v1/workflows/validate', JSON.parse(text));
    expect(body).toMatchObject({ valid: true });
  });
});

describe('JavaScript and TypeScript in the docs', () => {
  it.each(of('js', 'ts').map(({ page, text }) => [page, text]))(
    'the compiler can parse the code in %s',
    (_, text) => {
      const { diagnostics = [] } = ts.transpileModule(text, {
        reportDiagnostics: true,
        compilerOptions: {
          target: ts.ScriptTarget.ESNext,
          module: ts.ModuleKind.ESNext,
          experimentalDecorators: true,
        },
      });
      expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
    },
  );

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

/** Replaces addresses and ids in a text by those of the service under test. */
function filledIn(text: string): string {
  return text
    .replaceAll(/https?:\/\/(127\.0\.0\.1:3000|workflows\.example\.com)(?=\/|"| )/g, service.baseUrl)
    .replaceAll(SHORTENED, (_, field: string) => `"${field}": "${ids[field] ?? UNKNOWN_ID}"`)
    .replaceAll(/https?:\S+\/hooks\/whk_…/g, environment['HOOK_URL'] ?? '');
}
