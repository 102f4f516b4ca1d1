import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AuditSealer } from '../../src/audit/audit-sealer.js';
import { AuditVerification } from '../../src/audit/index.js';
import { RefusalLog } from '../../src/auth/refusals/refusal-log.js';
import { PermissionError } from '../../src/errors/index.js';
import type { JsonObject } from '../../src/expressions/index.js';
import { newId } from '../../src/platform/index.js';
import { newAccount, PASSWORD } from '../support/access-world.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { newPerson } from '../support/people.js';
import { TestService } from '../support/service.js';
import { SocketClient } from '../support/socket-client.js';

interface Entry {
  readonly team_id: string;
  readonly project_id: string | null;
  readonly actor: { readonly user_id: string | null; readonly key_id: string | null };
  readonly address: string;
  readonly request_id: string | null;
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly after: JsonObject;
}

describe.each(await databaseKinds())(
  'rejected requests in the audit log on $name',
  ({ create: createDatabase }) => {
    let database: TestDatabase;
    let service: TestService;

    beforeAll(async () => {
      database = await createDatabase();
      service = await TestService.start({
        database: database.settings,
        environment: { TRUSTED_PROXIES: '127.0.0.1' },
      });
    });
    afterEach(async () => {
      SocketClient.cutAll();
      // Writes the pending counts of rejected requests, so that these counts do not appear in the next test.
      await log().flush();
    });
    afterAll(async () => {
      await service.stop();
      await database.drop();
    });

    const log = (): RefusalLog => service.app.get(RefusalLog, { strict: false });
    const from = (address: string): { readonly 'x-forwarded-for': string } => ({
      'x-forwarded-for': address,
    });

    /** Audit entries about rejected requests from an address, oldest first. */
    async function refusals(address: string, key = service.key): Promise<readonly Entry[]> {
      await log().written();
      const { body } = await service.get<{ data: readonly Entry[] }>('/v1/audit-log?limit=100&order=asc', {
        key,
      });
      return body.data.filter((entry) => entry.address === address && entry.action.includes('refus'));
    }

    it('the audit log records the caller, the route and the missing scope of a rejected request', async () => {
      const key = await service.newKey({ scopes: ['workflows:read'] });
      const headers = { ...from('203.0.113.1'), 'x-request-id': 'refused-1' };
      const refused = await service.post(
        '/v1/workflows?secret=1',
        { name: 'x', nodes: [] },
        { key, headers },
      );
      expect(refused.status).toBe(403);
      const [entry, ...others] = await refusals('203.0.113.1');
      expect(others).toEqual([]);
      expect(entry).toMatchObject({
        team_id: service.admin.teamId,
        actor: { user_id: service.admin.userId, key_id: expect.any(String) },
        request_id: 'refused-1',
        action: 'request.refused',
        target: { type: 'key', id: entry?.actor.key_id },
        after: {
          code: 'missing_scope',
          required_scope: 'workflows:write',
          method: 'POST',
          path: '/v1/workflows',
          count: 1,
        },
      });
    });

    it('the service logs how many rejected requests it did not write to the audit log because the write queue was full', async () => {
      const warn = vi.spyOn(Logger.prototype, 'warn');
      try {
        for (let team = 0; team < 40; team += 1) {
          const principal = { ...service.admin, teamId: newId() };
          for (let host = 0; host < 30; host += 1)
            log().record(new PermissionError('Refused.', 'missing_scope'), {
              address: `203.0.${team}.${host}`,
              principal: { ...principal, keyId: newId() },
              method: 'GET',
              path: '/v1/workflows',
            });
        }
        await log().written();
        expect(warn.mock.calls).toEqual([
          [
            {
              msg: 'Refusals were not written to the audit log, because too many were waiting.',
              entries: 40 * 30 - 1_000,
            },
          ],
        ]);
      } finally {
        warn.mockRestore();
      }
    });

    it("a rejected request for another team's resource appears only in the audit log of the caller's team", async () => {
      const stranger = await service.newStranger();
      const { body } = await service.post('/v1/workflows', {
        name: 'Mine',
        nodes: [{ id: 'a', type: 'set', with: { value: 1 } }],
      });
      const request = { key: stranger.key, headers: from('203.0.113.2') };
      expect((await service.get(`/v1/workflows/${body.id}`, request)).status).toBe(403);
      expect(await refusals('203.0.113.2')).toEqual([]);
      expect(await refusals('203.0.113.2', stranger.key)).toMatchObject([
        {
          team_id: stranger.project.teamId,
          action: 'request.refused',
          target: { type: 'workflow', id: body.id },
          after: { code: 'project_out_of_reach', method: 'GET', path: '/v1/workflows/:id' },
        },
      ]);
    });

    it('the audit log names the API key of a request that was rejected because of its client address', async () => {
      const { body } = await service.post<{ id: string; key: string }>('/v1/keys', {
        name: 'Bound',
        allowed_ips: ['10.0.0.0/8'],
      });
      const request = { key: body.key, headers: from('203.0.113.3') };
      expect((await service.get('/v1/users/me', request)).error.code).toBe('address_not_allowed');
      expect(await refusals('203.0.113.3')).toMatchObject([
        {
          action: 'key.refused',
          actor: { user_id: service.admin.userId, key_id: body.id },
          target: { type: 'key', id: body.id },
          after: { code: 'address_not_allowed' },
        },
      ]);
    });

    it("the audit log of the installation owner's team records requests with an unknown API key, but not the key", async () => {
      const secret = `wf_${'a'.repeat(40)}`;
      const request = { key: secret, headers: from('203.0.113.4') };
      expect((await service.get('/v1/users/me', request)).status).toBe(401);
      const entries = await refusals('203.0.113.4');
      expect(entries).toMatchObject([
        {
          team_id: service.admin.teamId,
          actor: { user_id: null, key_id: null },
          action: 'key.refused',
          target: { type: 'team', id: service.admin.teamId },
          after: { code: 'invalid_key' },
        },
      ]);
      expect(JSON.stringify(entries)).not.toContain(secret);
    });

    it("the audit log records a failed sign-in with the user's id, but without email address and password", async () => {
      const email = `${newId()}@example.com`;
      const userId = await newAccount(service, email);
      for (const [account, address] of [
        [email, '203.0.113.5'],
        [`${newId()}@example.com`, '203.0.113.6'],
      ] as const) {
        const body = { email: account, password: 'wrong-and-secret' };
        const refused = await service.post('/v1/auth/sign-in', body, { key: null, headers: from(address) });
        expect(refused.error.code).toBe('invalid_credentials');
      }
      const known = await refusals('203.0.113.5');
      expect(known).toMatchObject([
        {
          actor: { user_id: userId, key_id: null },
          action: 'sign_in.refused',
          target: { type: 'user', id: userId },
          after: { code: 'invalid_credentials' },
        },
      ]);
      const unknown = await refusals('203.0.113.6');
      expect(unknown).toMatchObject([
        { actor: { user_id: null }, action: 'sign_in.refused', target: { type: 'team' } },
      ]);
      for (const text of ['wrong-and-secret', '@example.com', PASSWORD])
        expect(JSON.stringify([known, unknown])).not.toContain(text);
    });

    it('the audit log records a rejected token exchange without the token', async () => {
      const jwt = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJtYWxsb3J5In0.';
      const request = { key: null, headers: from('203.0.113.7') };
      expect((await service.post('/v1/auth/token', { jwt }, request)).error.code).toBe('invalid_jwt');
      const entries = await refusals('203.0.113.7');
      expect(entries).toMatchObject([
        { action: 'token.refused', after: { code: 'invalid_jwt', path: '/v1/auth/token' } },
      ]);
      expect(JSON.stringify(entries)).not.toContain('eyJ');
    });

    it('the audit log records a socket whose API key is rejected, and a socket whose subscription is rejected', async () => {
      const host = service.baseUrl.replace('http://', '');
      const stranger = await service.newStranger();
      const blind = await service.newKey({ scopes: ['workflows:read'] });
      const { body: workflow } = await service.post('/v1/workflows', {
        name: 'Mine',
        nodes: [{ id: 'a', type: 'set', with: { value: 1 } }],
      });
      for (const [address, token] of [
        ['203.0.113.8', 'no-key'],
        ['203.0.113.9', blind],
      ] as const) {
        const client = await SocketClient.open(host, from(address));
        client.send({ type: 'auth', token });
        await client.ending();
      }
      const client = await SocketClient.open(host, from('203.0.113.10'));
      client.send({ type: 'auth', token: stranger.key });
      await client.next('auth.success');
      client.send({ type: 'subscribe', id: 'a', filter: { workflow_id: workflow.id } });
      await client.next('error');
      expect(await refusals('203.0.113.8')).toMatchObject([
        { action: 'key.refused', after: { code: 'invalid_key', path: '/ws' } },
      ]);
      expect(await refusals('203.0.113.9')).toMatchObject([
        { action: 'request.refused', after: { code: 'missing_scope', required_scope: 'events:read' } },
      ]);
      expect(await refusals('203.0.113.10', stranger.key)).toMatchObject([
        { action: 'request.refused', after: { code: 'project_out_of_reach', path: '/ws' } },
      ]);
    });

    it('the audit log records the first of 20 identical rejected requests immediately, and the other 19 later in one entry', async () => {
      const key = await service.newKey({ scopes: ['workflows:read'] });
      const request = { key, headers: from('203.0.113.11') };
      for (let sent = 0; sent < 20; sent += 1) await service.get('/v1/sessions', request);
      expect((await refusals('203.0.113.11')).map(({ after }) => after['count'])).toEqual([1]);
      await log().flush();
      const [first, counted, ...others] = await refusals('203.0.113.11');
      expect(others).toEqual([]);
      expect([first?.after['count'], counted?.after['count']]).toEqual([1, 19]);
      expect(counted?.after['since']).toEqual(expect.any(String));
    });

    it('the audit log combines rejected requests beyond 30 per minute into one entry for all client addresses', async () => {
      await log().flush();
      const addresses = Array.from({ length: 60 }, (_, index) => `198.51.100.${index + 1}`);
      for (const address of addresses)
        await service.get('/v1/users/me', { key: 'unknown', headers: from(address) });
      await log().flush();
      const { body } = await service.get<{ data: readonly Entry[] }>('/v1/audit-log?limit=100');
      const written = body.data.filter(({ address }) => address.startsWith('198.51.100.'));
      const summary = body.data.filter(({ action }) => action === 'refusals.summarized');
      expect(written.length).toBeLessThanOrEqual(30);
      expect(summary).toHaveLength(1);
      expect(summary[0]?.after).toMatchObject({
        count: 60 - written.length,
        codes: { invalid_key: 60 - written.length },
      });
    });

    it('requests without a credential or with an unknown sign-in cookie create no audit entry', async () => {
      const headers = from('203.0.113.12');
      expect((await service.get('/v1/users/me', { key: null, headers })).error.code).toBe('missing_key');
      const cookie = { ...headers, cookie: 'workflow_sign_in=gone', origin: service.baseUrl };
      expect((await service.get('/v1/users/me', { key: null, headers: cookie })).status).toBe(401);
      expect(await refusals('203.0.113.12')).toEqual([]);
    });

    it('verification of the audit log detects that an entry about a rejected request was deleted', async () => {
      const member = await newPerson(service, 'member');
      const request = { key: member.key, headers: from('203.0.113.13') };
      expect((await service.get('/v1/audit-log', request)).status).toBe(403);
      await log().flush();
      await service.app.get(AuditSealer, { strict: false }).seal();
      const verification = service.app.get(AuditVerification, { strict: false });
      expect((await verification.verify()).broken).toBeNull();
      const exported = await fetch(`${service.baseUrl}/v1/audit-log/export?action=request.refused`, {
        headers: { authorization: `Bearer ${service.key}` },
      });
      const lines = (await exported.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Entry);
      const line = lines.find(({ address }) => address === '203.0.113.13');
      expect(line).toMatchObject({ hash: expect.any(String), sequence: expect.any(Number) });
      await service.app
        .get(DataSource, { strict: false })
        .query(`DELETE FROM audit_log WHERE address = '203.0.113.13'`);
      expect((await verification.verify()).broken).toMatchObject({ reason: 'deleted' });
    });
  },
);
