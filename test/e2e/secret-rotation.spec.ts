import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.js';
import { Secrets } from '../../src/secrets/index.js';
import { FirstAdminService } from '../../src/auth/index.js';
import { ClockedService } from '../support/clocked-service.js';
import { databaseKinds, databaseUrl, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const OLD = 'dGhlIGZpcnN0IGtleSBvZiB0aGVzZSB0ZXN0cyAtLS0=';
const NEW = 'dGhlIHNlY29uZCBrZXkgb2YgdGhlc2UgdGVzdHMgLS0=';
const COUNT = 250;

describe.each(await databaseKinds())('the command `secrets` on $name', ({ create }) => {
  let database: TestDatabase;
  let service: ClockedService | undefined;
  let headers: Readonly<Record<string, string>> = {};
  let key = '';

  beforeEach(async () => {
    database = await create();
  });
  afterEach(async () => {
    await service?.close();
    service = undefined;
    await database.drop();
  });

  async function restart(environment: Readonly<Record<string, string>>): Promise<ClockedService> {
    const isFirst = service === undefined;
    await service?.close();
    service = await ClockedService.start(environment, database.settings);
    if (!isFirst) return service;
    const { secret } = await service.app.get(FirstAdminService).create({ email: 'admin@example.com' });
    key = secret;
    headers = { authorization: `Bearer ${secret}` };
    return service;
  }

  async function run(
    words: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
    let [out, err] = ['', ''];
    const code = await runProgram(['secrets', ...words], {
      environment: () => environment,
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err };
  }

  it('the command `secrets rotate` re-encrypts all secrets with the new key, even while clients change secrets', async () => {
    const before = await restart({ SECRETS_KEY: OLD });
    const ids: string[] = [];
    let project = '';
    for (let index = 0; index < COUNT; index += 1) {
      const secret = { name: `S${index}`, value: `value ${index}` };
      const { body } = await before.call('POST', '/v1/secrets', secret, headers);
      ids.push(body.id);
      project = body.project_id;
    }
    const both = { SECRETS_KEY: NEW, SECRETS_KEY_OLD: OLD };
    const during = await restart(both);
    const rotation = run(['rotate'], { DATABASE_URL: databaseUrl(database.settings), ...both });
    await Promise.all(
      ids.slice(0, 20).map((id) => during.call('PATCH', `/v1/secrets/${id}`, { value: 'changed' }, headers)),
    );
    const { code, out, err } = await rotation;
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^\d+ secrets were encrypted with the current key/),
    ]);
    expect(err).toMatch(/100 of \d+ secrets/);
    const keyIds = await during.app
      .get(DataSource, { strict: false })
      .query<readonly object[]>(`SELECT DISTINCT substr(sealed, 1, 11) AS start FROM secrets`);
    expect(keyIds).toHaveLength(1);
    const after = await restart({ SECRETS_KEY: NEW });
    const secrets = after.app.get(Secrets, { strict: false });
    for (let index = 0; index < COUNT; index += 1)
      expect(await secrets.valueOf(project, `S${index}`)).toBe(index < 20 ? 'changed' : `value ${index}`);
  });

  it('after the command `secrets rotate`, webhooks sign requests without the old encryption key', async () => {
    const receiver = await WebhookReceiver.start();
    const allowed = { EGRESS_ALLOW: receiver.address };
    try {
      const before = await restart({ SECRETS_KEY: OLD, ...allowed });
      const hook = { url: receiver.url(), events: ['workflow.completed'] };
      const { body: created } = await before.call('POST', '/v1/webhooks', hook, headers);
      const { body: rotated } = await before.call(
        'POST',
        `/v1/webhooks/${created.id}/rotate-secret`,
        { overlap_seconds: 3_600 },
        headers,
      );
      const { body: workflow } = await before.call(
        'POST',
        '/v1/workflows',
        { name: 'Observed', nodes: [{ id: 'text', type: 'set', with: { value: 1 } }] },
        headers,
      );
      const both = { SECRETS_KEY: NEW, SECRETS_KEY_OLD: OLD };
      const { code, out } = await run(['rotate'], { DATABASE_URL: databaseUrl(database.settings), ...both });
      expect([code, out]).toEqual([0, expect.stringMatching(/^2 secrets were encrypted/)]);
      const after = await restart({ SECRETS_KEY: NEW, ...allowed });
      await after.call('POST', `/v1/workflows/${workflow.id}/executions?wait=30`, {}, headers);
      const delivered = await until('the delivery', () => Promise.resolve(receiver.received[0]));
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
      const signed = Object.fromEntries(names.map((name) => [name, String(delivered.headers[name])]));
      for (const { secret } of [created, rotated])
        expect(() => new StandardWebhook(secret).verify(delivered.body, signed)).not.toThrow();
    } finally {
      await receiver.stop();
    }
  });

  it('the command `secrets` can set a secret from a file, list secrets and delete them', async () => {
    const running = await restart({ SECRETS_KEY: OLD });
    const { url, app } = running;
    const directory = await mkdtemp(join(tmpdir(), 'secrets-'));
    const file = join(directory, 'value.txt');
    const environment = { BASE_URL: url, WORKFLOW_API_KEY: key };
    try {
      await writeFile(file, 'first value\n');
      expect(await run(['set', 'KEY', '--value-file', file], environment)).toMatchObject({
        code: 0,
        out: 'KEY is set to version 1.\n',
      });
      await writeFile(file, 'second value');
      expect((await run(['set', 'KEY', '--value-file', file], environment)).out).toContain('version 2');
      const { body } = await running.call('GET', '/v1/secrets', undefined, headers);
      const project = body.data[0].project_id;
      expect(await app.get(Secrets, { strict: false }).valueOf(project, 'KEY')).toBe('second value');
      const listed = await run(['list'], environment);
      expect(listed.out).toMatch(/^KEY {2}version 2 {2}last used /);
      expect(await run(['delete', 'KEY'], environment)).toMatchObject({ code: 0, out: 'KEY is deleted.\n' });
      expect(await run(['delete', 'KEY'], environment)).toMatchObject({
        code: 1,
        err: expect.stringContaining('There is no secret KEY'),
      });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
