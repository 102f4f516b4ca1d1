import { relative, resolve, sep } from 'node:path';
import type { DatabaseSettings, Settings } from '../settings/index.js';

/** What a start has come to. */
export interface Startup {
  readonly version: string;
  /** From the start of the process to the open port, in milliseconds. */
  readonly readyAfterMs: number;
  /** As a client writes it: scheme, host and port, no slash at the end. */
  readonly baseUrl: string;
  readonly dashboardUrl: string;
  readonly role: Settings['ROLE'];
  /** Half a sentence; null where the dashboard is there. */
  readonly dashboardMissingBecause: string | null;
  readonly database: DatabaseSettings;
  readonly redisUrl: string | null;
  /** Set where the port is not the one that was asked for. */
  readonly portInUse: { readonly wanted: number; readonly got: number } | null;
  /** While the service has no user: how the first one is made. */
  readonly setUp: { readonly token: string; readonly minutes: number } | null;
}

/** Column at which a line's value begins, after the margin. */
const LABEL_WIDTH = 13;
/** Width of values that have a note behind them. */
const VALUE_WIDTH = 32;
/** Column of the time in the title line. */
const TITLE_WIDTH = 55;
const MARGIN = '  ';

/** What a person reads once the port answers: where everything is and what to do first. */
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
    lines.push('', `Port ${portInUse.wanted} is in use; this service took ${portInUse.got}.`);
  if (dashboardMissingBecause !== null)
    lines.push('', `The dashboard is missing: ${dashboardMissingBecause}. "npm run build" makes it.`);
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

/** What clients find here; of a worker only its probes. */
function roleRows({ role, baseUrl, dashboardUrl }: Startup): readonly Row[] {
  if (role === 'worker')
    return [
      { label: 'Worker', value: 'runs executions', note: 'the API is elsewhere' },
      { label: 'Probes', value: `${baseUrl}/health/ready` },
    ];
  return [
    { label: 'Dashboard', value: dashboardUrl },
    { label: 'API', value: `${baseUrl}/v1`, note: 'docs /swagger, /openapi.json' },
    { label: 'Events', value: `${baseUrl.replace(/^http/, 'ws')}/ws` },
    ...(role === 'api' ? [{ label: 'Runs', value: 'nothing; ROLE=worker does' }] : []),
  ];
}

function dataRow(database: DatabaseSettings): Row {
  if (database.dialect === 'sqlite')
    return { label: 'Data', value: shownPath(database.path), note: '(set DATABASE_URL for Postgres)' };
  const { host, pathname } = new URL(database.url);
  return { label: 'Data', value: `Postgres ${host}${decodeURIComponent(pathname)}` };
}

/** Relative where the file lies in the working directory. */
function shownPath(path: string): string {
  const below = relative('.', resolve(path));
  return below === '..' || below.startsWith(`..${sep}`) || resolve(below) === below
    ? resolve(path)
    : `.${sep}${below}`;
}
