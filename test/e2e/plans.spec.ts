import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newKeyOf, newPerson } from '../support/people.js';
import { TestService } from '../support/service.js';

interface Limits {
  readonly plan: string;
  readonly requests_per_minute: number;
}

describe('rate-limit plans', () => {
  let service: TestService;

  beforeEach(async () => {
    service = await TestService.start({
      environment: { RATE_LIMIT_PLANS: '{"tiny":{"requests_per_minute":1,"burst":3}}' },
    });
  });
  afterEach(() => service.stop());

  const limits = async (key: string): Promise<Limits> =>
    (await service.get<Limits>('/v1/rate-limits', { key })).body;
  const team = (): string => `/v1/teams/${service.admin.teamId}`;

  it('the owner of the installation can assign a rate-limit plan to any team, and the plan applies immediately', async () => {
    const stranger = await service.newStranger();
    const path = `/v1/teams/${stranger.project.teamId}`;
    expect((await limits(stranger.key)).plan).toBe('enterprise');
    const changed = await service.patch(path, { plan: 'pro' });
    expect([changed.status, changed.body['plan']]).toEqual([200, 'pro']);
    expect(await limits(stranger.key)).toMatchObject({ plan: 'pro', requests_per_minute: 600 });
    expect((await service.patch(path, { plan: 'gold' })).error.details?.['field']).toBe('plan');
    const log = await service.get<{ data: readonly object[] }>('/v1/audit-log?action=team.plan_changed', {
      key: stranger.key,
    });
    expect(log.body.data).toMatchObject([{ before: { plan: 'enterprise' }, after: { plan: 'pro' } }]);
  });

  it('only the owner of the installation, with an unrestricted key, can assign a rate-limit plan to a team', async () => {
    const stranger = await service.newStranger();
    const owner = await newPerson(service, 'owner');
    const narrow = await service.newKey({ scopes: ['teams:write', 'teams:read'] });
    for (const [path, key] of [
      [`/v1/teams/${stranger.project.teamId}`, stranger.key],
      [team(), owner.key],
      [team(), narrow],
    ] as const)
      expect(await service.patch(path, { plan: 'pro' }, { key })).toMatchObject({
        status: 403,
        error: { code: 'not_operator' },
      });
  });

  it('a key with a lower rate-limit plan than its team gets 429 earlier than other keys of the team', async () => {
    const made = await service.post<{ key: string; plan: string }>('/v1/keys', {
      name: 'slow',
      plan: 'tiny',
    });
    expect([made.status, made.body.plan]).toEqual([201, 'tiny']);
    const { key } = made.body;
    expect((await limits(key)).plan).toBe('tiny');
    for (const expected of [200, 200, 429])
      expect((await service.get('/v1/workflows', { key })).status).toBe(expected);
    expect((await service.get('/v1/workflows')).status).toBe(200);
  });

  it('a new key cannot have a higher rate-limit plan than its team or the key that creates it', async () => {
    expect((await service.post('/v1/keys', { name: 'x', plan: 'gold' })).error.details?.['field']).toBe(
      'plan',
    );
    await service.patch(team(), { plan: 'free' });
    expect(await service.post('/v1/keys', { name: 'x', plan: 'pro' })).toMatchObject({
      status: 403,
      error: { code: 'exceeds_own_rights' },
    });
    const slow = await service.post<{ key: string }>('/v1/keys', { name: 'slow', plan: 'tiny' });
    const { key } = slow.body;
    expect((await service.post('/v1/keys', { name: 'x', plan: 'free' }, { key })).status).toBe(403);
    const heir = await service.post<{ plan: string }>('/v1/keys', { name: 'heir' }, { key });
    expect(heir.body.plan).toBe('tiny');
  });

  it("all keys of a team together are limited to TEAM_RATE_LIMIT_FACTOR times the burst of the team's plan", async () => {
    await service.stop();
    service = await TestService.start({
      environment: {
        RATE_LIMIT_PLANS: '{"tiny":{"requests_per_minute":1,"burst":3}}',
        DEFAULT_PLAN: 'tiny',
        TEAM_RATE_LIMIT_FACTOR: '2',
      },
    });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      const key = await service.newKey({ scopes: ['workflows:read'] });
      for (let request = 0; request < 3; request += 1)
        statuses.push((await service.get('/v1/workflows', { key })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429, 429]);
    const stranger = await service.newStranger();
    expect((await service.get('/v1/workflows', { key: stranger.key })).status).toBe(200);
  });

  it('a user can have at most 100 API keys', async () => {
    const person = await newPerson(service, 'member');
    for (let count = 1; count < 100; count += 1) await newKeyOf(service, { ...person, role: 'member' });
    expect(await service.post('/v1/keys', { name: 'x' }, { key: person.key })).toMatchObject({
      status: 409,
      error: { code: 'too_many_keys', details: { limit: 100 } },
    });
    expect((await service.delete(`/v1/keys/${person.keyId}`)).status).toBe(204);
  });
});
