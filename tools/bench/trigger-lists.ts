/**
 * Measures lists of deliveries, scheduled times and secrets over HTTP, first with 100 rows and then with as
 * many rows as a busy project has.
 */
import Database from 'better-sqlite3';
import { inRounds, round } from './load.ts';
import { type BenchedService, startService } from './service.ts';
import { sized } from './size.ts';
import { fileOf, timed, type Timings } from './w6.ts';

const SIZES = [
  { deliveries: 100, fires: 100, secrets: 100 },
  { deliveries: sized(100_000, 2_000), fires: sized(86_400, 2_000), secrets: sized(10_000, 1_000) },
];
const WARM_UP = sized(100, 10);
const BUSY_MS = 20_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Row extends Omit<Timings, 'ratio'> {
  /** Response time, divided by the response time with 100 rows. Null for the measurement with 100 rows itself. */
  readonly ratio: number | null;
}

export async function triggerLists(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const sizes of SIZES) {
    const service = await startService();
    try {
      const { id: workflow_id } = await service.post('/v1/workflows', { name: 'tick' });
      const webhook = await service.post('/v1/webhooks', { url: 'https://example.com/' });
      const schedule = await service.post('/v1/schedules', { workflow_id, every_seconds: 86_400 });
      await service.post('/v1/secrets', { name: 'FIRST', value: 'secret' });
      fill(service, { webhook: webhook.id, schedule: schedule.id }, sizes);
      const paths = {
        deliveries: `/v1/webhooks/${webhook.id}/deliveries`,
        'deliveries, failed': `/v1/webhooks/${webhook.id}/deliveries?status=failed`,
        'deliveries, last 15 hours': `/v1/webhooks/${webhook.id}/deliveries?created_after=${hoursAgo(15)}`,
        fires: `/v1/schedules/${schedule.id}/fires`,
        secrets: '/v1/secrets',
        'secrets, text that one has': '/v1/secrets?q=first',
        'secrets, text that all have': '/v1/secrets?q=s',
      };
      for (const [request, path] of Object.entries(paths)) {
        const [kind = ''] = request.split(',');
        for (let n = 0; n < WARM_UP; n += 1) await service.get(path);
        const timings = await inRounds(() => timed(service, () => path));
        const base = rows.find((row) => row.request === request);
        const ratio = base === undefined ? null : round(timings.p50_ms / base.p50_ms);
        rows.push({ request, rows: sizes[kind as keyof typeof sizes], ...timings, ratio });
      }
    } finally {
      await service.stop();
    }
  }
  return rows;
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * HOUR_MS).toISOString();
}

function fill(
  service: BenchedService,
  { webhook, schedule }: { readonly webhook: string; readonly schedule: string },
  sizes: { readonly deliveries: number; readonly fires: number; readonly secrets: number },
): void {
  const database = new Database(fileOf(service));
  database.pragma(`busy_timeout = ${BUSY_MS}`);
  const now = new Date().toISOString();
  const numbers =
    'WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :size)';
  const ms = ':start + n * :step';
  const id = `printf('%08x-%04x-7000-8000-%012x', (${ms}) >> 16, (${ms}) & 65535, n)`;
  const start = Date.now() - DAY_MS;
  const run = (sql: string, size: number, parameters: object): void => {
    const step = Math.floor(DAY_MS / size);
    database.prepare(`${numbers} ${sql}`).run({ size, now, start, step, ...parameters });
  };
  run(
    `INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, status, attempts, created_at, updated_at)
     SELECT ${id}, :webhook, ${id}, 'workflow.completed', iif(n % 50 = 0, 'failed', 'delivered'), '[]', :now, :now
     FROM numbers`,
    sizes.deliveries,
    { webhook },
  );
  run(
    `INSERT INTO schedule_fires (id, schedule_id, scheduled_for, fired_at, outcome)
     SELECT ${id}, :schedule, :now, :now, 'started' FROM numbers`,
    sizes.fires,
    { schedule },
  );
  run(
    `INSERT INTO secrets (id, project_id, name, description, sealed, version, revision, created_at, updated_at)
     SELECT ${id}, s.project_id, 'SECRET_' || n, '', s.sealed, 1, 1, :now, :now FROM numbers, secrets s
     WHERE s.name = 'FIRST'`,
    sizes.secrets,
    {},
  );
  database.close();
}
