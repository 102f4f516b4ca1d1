import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { MigrationsRepository } from '../../src/cli/migrations.repository.js';
import { MIGRATIONS } from '../../src/schema.js';
import { transfer, TransferProgress } from '../../src/transfer/index.js';
import { type ExecutionState, fold } from '../../src/engine/index.js';
import { EVENT_TYPES, isFinal, isKnown, type JournalEvent } from '../../src/execution-events/index.js';
import { decodeBodies } from '../../src/journal/batch.js';
import { readSettings } from '../../src/settings/index.js';
import { ClockedService } from '../support/clocked-service.js';
import { type DatabaseKind, databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { until } from '../support/until.js';

/** Recorded databases, one folder per release. `tools/scripts/record-journals.ts` writes these folders. */
const JOURNALS = fileURLToPath(new URL('../fixtures/journals/', import.meta.url));

interface Recorded {
  readonly recorded_at: string;
  readonly key: string;
  readonly executions: Readonly<Record<string, { readonly id: string; readonly state: RecordedState }>>;
}
/** State of an execution, as the earlier release computed and recorded it. */
interface RecordedState {
  readonly status: ExecutionState['status'];
  readonly nodes: readonly (readonly [key: string, node: Readonly<Record<string, unknown>>])[];
}

/** Milliseconds by which the test advances the clock: longer than every recorded timer, shorter than every timeout. */
const TIMERS_MS = 1_800_000;

let directory: string | undefined;
let postgres: TestDatabase | undefined;
let service: ClockedService | undefined;
afterEach(async () => {
  await service?.close();
  await postgres?.drop();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  service = postgres = directory = undefined;
});

/**
 * Copies the recorded database of a release.
 * @returns the path of the copy
 */
function copyOf(release: string): string {
  directory = mkdtempSync(join(tmpdir(), 'workflow-upgrade-'));
  const path = join(directory, 'workflow.sqlite');
  writeFileSync(path, gunzipSync(readFileSync(join(JOURNALS, release, 'database.sqlite.gz'))));
  return path;
}

/** Migrates the schema of a SQLite file to the current version, and copies its data to PostgreSQL. */
async function move(path: string, { settings }: TestDatabase): Promise<void> {
  const migrations = await MigrationsRepository.open(readSettings({ DATABASE_URL: `sqlite://${path}` }));
  await migrations.up();
  await migrations.close();
  const schema = { migrations: MIGRATIONS, plugins: [] };
  await transfer(path, databaseUrl(settings), schema, new TransferProgress({ out: () => undefined }));
}

const kinds = await databaseKinds();

describe.each(readdirSync(JOURNALS))('a database of release %s', (release) => {
  const recorded = JSON.parse(readFileSync(join(JOURNALS, release, 'recorded.json'), 'utf8')) as Recorded;
  const { executions } = recorded;

  async function place(path: string, kind: DatabaseKind): Promise<void> {
    if (kind.name === 'sqlite') return;
    postgres = await kind.createEmpty();
    await move(path, postgres);
  }

  /** Restarts the service. @param ms milliseconds between the time of the recording and the clock of the service */
  async function start(ms: number): Promise<void> {
    await service?.close();
    const clock = new ManualClock(Date.parse(recorded.recorded_at) + ms);
    service = await ClockedService.start({ DATA_DIR: directory ?? '' }, postgres?.settings, clock);
  }

  async function call(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { authorization: `Bearer ${recorded.key}` };
    const answer = await service?.call(method, `/v1/executions/${path}`, body, headers);
    return { status: answer?.status ?? 0, body: answer?.body as Answer['body'] };
  }

  const idOf = (name: string): string => executions[name]?.id ?? '';
  const signal = async (id: string, name: string, payload: unknown): Promise<void> => {
    expect((await call('POST', `${id}/signals/${name}`, { payload })).status).toBe(202);
  };
  const reaches = async (name: string, status: string): Promise<void> => {
    await until(
      `execution ${name} to be ${status}`,
      async () => (await call('GET', idOf(name))).body.status === status,
    );
  };

  it('the current release computes the recorded execution states from the events of an earlier release', () => {
    const types = new Set<string>();
    const database = new Database(copyOf(release), { readonly: true });
    for (const { id, state } of Object.values(executions)) {
      const rows = database
        .prepare('SELECT body FROM journal WHERE execution_id = ? ORDER BY first_sequence')
        .all(id) as readonly { readonly body: string }[];
      const events = decodeBodies(rows.map(({ body }) => body).join(','));
      expect(events.filter((event) => !isKnown(event))).toEqual([]);
      for (const { type } of events) types.add(type);
      const folded = fold(events as readonly JournalEvent[]);
      expect(comparable({ ...folded, nodes: [...folded.nodes] })).toMatchObject(comparable(state));
    }
    database.close();
    if (release === '1.0.0') expect([...types].sort()).toEqual([...EVENT_TYPES].sort());
  });

  it.each(kinds)(
    'executions that an earlier release suspended complete after an upgrade (database: $name)',
    async (kind) => {
      await place(copyOf(release), kind);
      await start(1_000);
      await reaches('crashed', 'completed');
      expect((await call('POST', `${idOf('paused')}/resume`)).status).toBe(200);
      expect((await call('POST', `${idOf('paused_before_start')}/resume`)).status).toBe(200);
      const { body } = await call('GET', `${idOf('child')}/nodes`);
      await signal(body.data[0]?.child_execution_id ?? '', 'go', 1);
      for (const name of ['signal', 'paused', 'resumed', 'admitted', 'parked', 'turn', 'next_turn'])
        await signal(idOf(name), 'go', { of: name });
      await signal(idOf('approval'), 'decision', { approved: true });
      for (const item of ['second', 'third']) await signal(idOf('loop'), 'item', item);
      await reaches('next_turn', 'completed');
      await start(TIMERS_MS);
      for (const [name, { state }] of Object.entries(executions))
        await reaches(name, isFinal(state.status) ? state.status : 'completed');
      expect((await call('GET', idOf('loop'))).body.output).toEqual(['first', 'second', 'third']);
    },
  );

  it.each(kinds)(
    'an execution with an event type of a newer release stays suspended but readable (database: $name)',
    async (kind) => {
      const path = copyOf(release);
      const database = new Database(path);
      const id = idOf('signal');
      const newer = JSON.stringify([['workflow.escalated', 1, null, null, Date.now(), { to: 'Ada' }]]);
      database
        .prepare(
          `INSERT INTO journal (id, execution_id, project_id, workflow_id, session_id, first_sequence, last_sequence,
           created_at, body)
         SELECT '00000000-0000-7000-8000-000000000000', execution_id, project_id, workflow_id, session_id,
           last_sequence + 1, last_sequence + 1, created_at, ?
         FROM journal WHERE execution_id = ? ORDER BY last_sequence DESC LIMIT 1`,
        )
        .run(newer, id);
      database.prepare('UPDATE executions SET last_sequence = last_sequence + 1 WHERE id = ?').run(id);
      database.close();
      await place(path, kind);
      await start(1_000);
      await signal(id, 'go', 1);
      await until('the claim and the release of the execution', async () => {
        const { body } = await call('GET', id);
        return body.status_reason === 'service_fault';
      });
      expect((await call('GET', id)).body.status).toBe('waiting');
      const { data } = (await call('GET', `${id}/events`)).body;
      expect(data.at(-1)).toMatchObject({ type: 'workflow.escalated', data: { to: 'Ada' } });
      // The unknown event blocks only its own execution: other executions still complete.
      await signal(idOf('resumed'), 'go', 1);
      await reaches('resumed', 'completed');
    },
  );
});

/**
 * Copies a recorded or computed state for a comparison. The copy omits the wake-up times of ended attempts, because a
 * release may drop them.
 */
function comparable(state: object): RecordedState {
  const copy = JSON.parse(JSON.stringify(state)) as RecordedState;
  const nodes = copy.nodes.map(
    ([key, { resumption, ...node }]) =>
      [key, node['status'] === 'running' ? { ...node, resumption } : node] as const,
  );
  return { ...copy, nodes };
}

interface Answer {
  readonly status: number;
  readonly body: {
    readonly status: string;
    readonly status_reason: string | null;
    readonly output: unknown;
    readonly data: readonly { readonly child_execution_id?: string; readonly type?: string }[];
  };
}
