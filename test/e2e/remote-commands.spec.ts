import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.js';
import { TestService } from '../support/service.js';

const directory = mkdtempSync(join(tmpdir(), 'workflow-commands-'));
let service: TestService;
let workflow: string;

beforeAll(async () => {
  service = await TestService.start();
  const nodes = [{ id: 'text', type: 'set', with: { value: '{{ input }}' } }];
  workflow = (await service.post('/v1/workflows', { name: 'Called', nodes })).body.id;
});

afterAll(async () => {
  await service?.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function run(...words: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  const code = await runProgram(words, {
    environment: () => ({ WORKFLOW_API_KEY: service.key, BASE_URL: service.baseUrl }),
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
  });
  return { code, ...written };
}

function file(name: string, value: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

describe('hooks', () => {
  it('creates a hook, lists it without its token, and tests it', async () => {
    const fields = file('hook.json', { input: { n: '{{ request.body.n }}' } });
    const made = await run(
      'hooks',
      'create',
      workflow,
      '--name',
      'Orders',
      '--output',
      '--file',
      fields,
      '--json',
    );
    expect(made.code).toBe(0);
    const { id, url } = JSON.parse(made.out) as { id: string; url: string };
    const listed = await run('hooks', 'list', '--workflow', workflow);
    expect(listed.out).toMatch(new RegExp(`^ID +STATUS.*\n${id} +active +start +never +http.*Orders\n$`));
    expect(listed.out).not.toContain(url);
    const tested = await run('hooks', 'test', id, '--body', file('body.json', { n: 4 }));
    expect([tested.code, JSON.parse(tested.out)]).toEqual([0, { n: 4 }]);
  });

  it('says what the service refuses, with code 1', async () => {
    const { code, out, err } = await run('hooks', 'create', workflow, '--type', 'github', '--secret', 'NO');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('there is no NO');
  });
});

describe('schedules', () => {
  it('creates, lists, pauses, resumes, triggers and backfills a schedule', async () => {
    const input = file('input.json', { region: 'north' });
    const made = await run(
      'schedules',
      'create',
      workflow,
      '--cron',
      '0 9 * * *',
      '--name',
      'Daily',
      '--input',
      input,
    );
    const { id, input: given } = JSON.parse(made.out) as { id: string; input: unknown };
    expect(given).toEqual({ region: 'north' });
    expect((await run('schedules', 'list')).out).toMatch(
      new RegExp(`\n${id} +active +\\S+ +0 9 \\* \\* \\* \\(UTC\\) +Daily\n$`),
    );
    expect(JSON.parse((await run('schedules', 'pause', id)).out)).toMatchObject({ status: 'paused' });
    expect(JSON.parse((await run('schedules', 'resume', id)).out)).toMatchObject({ status: 'active' });
    expect(JSON.parse((await run('schedules', 'trigger', id)).out)).toMatchObject({ workflow_id: workflow });
    const span = ['--from', '2026-01-01T00:00:00Z', '--to', '2026-01-07T23:00:00Z'];
    expect(JSON.parse((await run('schedules', 'backfill', id, ...span)).out)).toMatchObject({ instants: 7 });
  });

  it('says what is wrong with a cron expression', async () => {
    const { code, err } = await run('schedules', 'create', workflow, '--cron', 'x');
    expect([code, err]).toEqual([1, expect.stringContaining('cron cannot be read')]);
  });
});
