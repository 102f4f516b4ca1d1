import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditSealer } from '../../src/audit/audit-sealer.js';
import { AuditVerification } from '../../src/audit/index.js';
import { newId } from '../../src/platform/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { TestService } from '../support/service.js';

interface Line {
  readonly id: string;
  readonly action: string;
  readonly sequence: number | null;
  readonly previous_hash: string | null;
  readonly hash: string | null;
}

describe.each(await databaseKinds())('the hash chain of the audit log on $name', ({ create }) => {
  let database: TestDatabase;
  let service: TestService;

  beforeEach(async () => {
    database = await create();
    service = await TestService.start({ database: database.settings });
    for (const name of ['a', 'b', 'c', 'd']) await service.post('/v1/keys', { name });
    await service.app.get(AuditSealer, { strict: false }).seal();
  });
  afterEach(async () => {
    await service.stop();
    await database.drop();
  });

  const verify = () => service.app.get(AuditVerification, { strict: false }).verify();
  const change = (sql: string): Promise<unknown> => service.app.get(DataSource, { strict: false }).query(sql);

  async function exported(query = '', key = service.key): Promise<readonly Line[]> {
    const response = await fetch(`${service.baseUrl}/v1/audit-log/export${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const text = await response.text();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  }

  it('an unchanged audit log passes verification, and its export contains the hash chain', async () => {
    const { chains, broken } = await verify();
    expect(broken).toBeNull();
    const lines = await exported();
    const sealed = lines.filter(({ hash }) => hash !== null);
    expect(sealed.map(({ sequence }) => sequence)).toEqual(sealed.map((_, index) => index + 1));
    expect(sealed.slice(1).map(({ previous_hash }) => previous_hash)).toEqual(
      sealed.slice(0, -1).map(({ hash }) => hash),
    );
    expect(chains).toContainEqual({
      teamId: service.admin.teamId,
      sequence: sealed.length,
      hash: sealed.at(-1)?.hash,
      unsealed: lines.length - sealed.length,
    });
    expect(await exported('?action=team.deleted')).toEqual([]);
    const reader = await service.newKey({ scopes: ['executions:read'] });
    expect((await service.get('/v1/audit-log/export', { key: reader })).status).toBe(403);
    expect((await service.get('/v1/audit-log/export?limit=1')).status).toBe(400);
  });

  it("the export of the audit log contains only entries of the caller's team", async () => {
    const stranger = await service.newStranger();
    await service.post('/v1/projects', { name: 'theirs' }, { key: stranger.key });
    expect((await exported('', stranger.key)).map(({ action }) => action)).toContain('project.created');
    expect((await exported()).map(({ action }) => action)).not.toContain('project.created');
  });

  it('verification of the audit log names a changed entry', async () => {
    const [, second] = await exported();
    await change(`UPDATE audit_log SET address = '203.0.113.9' WHERE id = '${second?.id}'`);
    expect((await verify()).broken).toMatchObject({ entryId: second?.id, sequence: 2, reason: 'changed' });
  });

  it('verification of the audit log names a deleted entry', async () => {
    const [, , third] = await exported();
    await change(`DELETE FROM audit_log WHERE id = '${third?.id}'`);
    expect((await verify()).broken).toMatchObject({ entryId: third?.id, sequence: 3, reason: 'deleted' });
  });

  it('verification of the audit log reports a gap before the next entry if an entry and its hash were deleted', async () => {
    const [, second, third] = await exported();
    await change(`DELETE FROM audit_seals WHERE entry_id = '${second?.id}'`);
    await change(`DELETE FROM audit_log WHERE id = '${second?.id}'`);
    expect((await verify()).broken).toMatchObject({ entryId: third?.id, reason: 'gap' });
  });

  it('verification of the audit log names an entry that was inserted with a date in the past', async () => {
    const id = '0199a8c0-4444-7abc-8def-0123456789ab';
    await change(
      `INSERT INTO audit_log (id, team_id, address, action, target_type, target_id, created_at)
       VALUES ('${id}', '${service.admin.teamId}', '', 'key.created', 'key', '${id}', '2025-10-01T00:00:00.000Z')`,
    );
    expect((await verify()).broken).toMatchObject({ entryId: id, reason: 'inserted' });
  });

  it('the hash chain of the audit log stays valid if concurrent calls add entries and compute hashes', async () => {
    const sealer = service.app.get(AuditSealer, { strict: false });
    await service.post('/v1/keys', { name: 'sealed by each of them' });
    await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => service.post('/v1/keys', { name: `k${index}` })),
      ...Array.from({ length: 5 }, () => sealer.seal()),
    ]);
    await sealer.seal();
    const { chains, broken } = await verify();
    expect(broken).toBeNull();
    const lines = await exported();
    expect(lines.every(({ hash }) => hash !== null)).toBe(true);
    expect(chains.find(({ teamId }) => teamId === service.admin.teamId)?.sequence).toBe(lines.length);
  });

  it('concurrent calls seal the audit entries of many teams', async () => {
    const rows = Array.from({ length: 40 }, () => {
      const id = newId();
      return `('${id}', '${newId()}', '', 'key.created', 'key', '${id}', '2025-10-01T00:00:00.000Z')`;
    });
    await change(
      `INSERT INTO audit_log (id, team_id, address, action, target_type, target_id, created_at) VALUES ${rows.join()}`,
    );
    const sealer = service.app.get(AuditSealer, { strict: false });
    await Promise.all(Array.from({ length: 5 }, () => sealer.seal()));
    const { chains, broken } = await verify();
    expect(broken).toBeNull();
    expect(chains.filter(({ sequence, unsealed }) => sequence === 1 && unsealed === 0)).toHaveLength(40);
  });
});
