import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Directory that contains a template of a SQLite data directory. `templates.setup.ts` deletes it at the end. */
const TEMPLATE = process.env['TEST_TEMPLATE_DATA'] ?? '';
const DATA = 'data';
const KEY = 'key';
/** The plan of the first team in the template. */
const PLAN = 'enterprise';

/**
 * Creates a first admin in an empty database, and returns an API key of this admin with all scopes. On SQLite with the
 * usual settings, the data directory becomes a copy of a template, because the copy takes a few milliseconds and the
 * command `bootstrap` takes two seconds.
 *
 * @param environment environment of the service, with `DATA_DIR`
 */
export function createFirstKey(directory: string, environment: NodeJS.ProcessEnv): string {
  const isUsual = environment['DATABASE_URL'] === undefined && environment['DEFAULT_PLAN'] === PLAN;
  if (!isUsual) return bootstrap(environment);
  if (!existsSync(TEMPLATE)) createTemplate();
  cpSync(join(TEMPLATE, DATA), directory, { recursive: true });
  return readFileSync(join(TEMPLATE, KEY), 'utf8');
}

/** Creates the template under a temporary name, so that other test processes never see an incomplete template. */
function createTemplate(): void {
  const folder = mkdtempSync(`${TEMPLATE}-`);
  const settings = { NODE_ENV: 'test', LOG_LEVEL: 'warn', DEFAULT_PLAN: PLAN, DATA_DIR: join(folder, DATA) };
  writeFileSync(join(folder, KEY), bootstrap({ PATH: process.env['PATH'], ...settings }));
  try {
    renameSync(folder, TEMPLATE);
  } catch (error) {
    // Another test process has created the template.
    rmSync(folder, { recursive: true });
    if (!existsSync(TEMPLATE)) throw error;
  }
}

function bootstrap(environment: NodeJS.ProcessEnv): string {
  const words = ['dist/src/cli/main.js', 'bootstrap', '--email', 'test@example.com', '--json'];
  const made = execFileSync(process.execPath, words, { env: environment });
  return (JSON.parse(made.toString()) as { readonly key: string }).key;
}
