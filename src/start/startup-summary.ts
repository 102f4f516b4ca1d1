import { relative, resolve, sep } from 'node:path';
import { type DatabaseSettings, serverHosts, serverUrls, type Settings } from '../settings/index.js';

export interface Startup {
  readonly version: string;
  /** Milliseconds from the start of the process until the service listened on its port. */
  readonly readyAfterMs: number;
  /** Base URL for clients, without a trailing slash. */
  readonly baseUrl: string;
  readonly dashboardUrl: string;
  readonly role: Settings['ROLE'];
  /** Reason why the dashboard is unavailable, as a sentence fragment. Null if the dashboard is available. */
  readonly dashboardMissingBecause: string | null;
  readonly database: DatabaseSettings;
  readonly redisUrl: string | null;
  /**
   * Configured port that was in use, and the port that the service uses instead. Null if the configured port was free.
   */
  readonly portInUse: { readonly wanted: number; readonly got: number } | null;
  /**
   * Token for creating the first admin account, and its lifetime in minutes. Null if a user exists, and for a worker.
   */
  readonly setUp: { readonly token: string; readonly minutes: number } | null;
}

/** Width of the label column in characters, without the left margin. */
const LABEL_WIDTH = 13;
const VALUE_WIDTH = 32;
/** Column of the title line in which the startup time begins, counted from the left margin. */
const TITLE_WIDTH = 55;
const MARGIN = '  ';

/** Returns the text that the service prints once its port is open: URLs, data location and first steps. */
export function startupSummary(startup: Startup): string {
  const { version, readyAfterMs, dashboardUrl, dashboardMissingBecause } = startup;
  const { database, redisUrl, portInUse, setUp } = startup;
  const rows: readonly Row[] = [
    ...roleRows(startup),
    dataRow(database),
    ...(redisUrl === null ? [] : [{ label: 'Redis', value: new URL(redisUrl).host }]),
  ];
  const lines = [
    `${`Workflow Service ${version}`.padEnd(TITLE_WIDTH)}ready in ${(readyAfterMs / 1000).toFixed(1)} s`,
    '',
    ...table(rows),
  ];
  if (portInUse !== null)
    lines.push('', `Port ${portInUse.wanted} is in use; the service uses port ${portInUse.got}.`);
  if (dashboardMissingBecause !== null)
    lines.push('', `The dashboard is missing: ${dashboardMissingBecause}. "npm run build" builds it.`);
  if (setUp !== null)
    lines.push(
      '',
      `First run. Create the admin account within ${setUp.minutes} minutes:`,
      `${dashboardUrl}/setup#t=${setUp.token}`,
    );
  return `${lines.map((line) => (line === '' ? '\n' : `${MARGIN}${line}\n`)).join('')}\n`;
}

interface Row {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
}

function table(rows: readonly Row[]): readonly string[] {
  const noted = rows.flatMap(({ value, note }) => (note === undefined ? [] : [value.length + 2]));
  const width = Math.max(VALUE_WIDTH, ...noted);
  return rows.map(({ label, value, note }) =>
    note === undefined
      ? `${label.padEnd(LABEL_WIDTH)}${value}`
      : `${label.padEnd(LABEL_WIDTH)}${value.padEnd(width)}${note}`,
  );
}

/** Returns the rows with URLs. A worker serves no API, so its summary shows only the URL of the readiness probe. */
function roleRows({ role, baseUrl, dashboardUrl }: Startup): readonly Row[] {
  if (role === 'worker')
    return [
      { label: 'Worker', value: 'runs executions', note: 'another process serves the API' },
      { label: 'Probes', value: `${baseUrl}/health/ready` },
    ];
  return [
    { label: 'Dashboard', value: dashboardUrl },
    { label: 'API', value: `${baseUrl}/v1`, note: 'docs /swagger, /openapi.json' },
    { label: 'Events', value: `${baseUrl.replace(/^http/, 'ws')}/ws` },
    ...(role === 'api' ? [{ label: 'Executions', value: 'run in processes with ROLE=worker' }] : []),
  ];
}

function dataRow(database: DatabaseSettings): Row {
  if (database.dialect === 'sqlite')
    return { label: 'Data', value: shownPath(database.path), note: '(set DATABASE_URL for PostgreSQL)' };
  const { pathname } = new URL(serverUrls(database.url)[0] ?? database.url);
  return {
    label: 'Data',
    value: `Postgres ${serverHosts(database.url).join(',')}${decodeURIComponent(pathname)}`,
  };
}

function shownPath(path: string): string {
  const below = relative('.', resolve(path));
  return below === '..' || below.startsWith(`..${sep}`) || resolve(below) === below
    ? resolve(path)
    : `.${sep}${below}`;
}
