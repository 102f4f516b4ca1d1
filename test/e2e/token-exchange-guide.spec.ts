import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FirstAdmin } from '../../src/auth/first-admin.service.js';
import { FirstAdminService } from '../../src/auth/index.js';
import { TOKEN_ISSUER_FIELDS } from '../../src/settings/token-issuer.js';
import { checkedSettings } from '../../src/start/checked-settings.js';
import { ClockedService, code } from '../support/clocked-service.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { type Claims, IdentityProvider } from '../support/identity-provider.js';

const guide = readFileSync('docs/token-exchange.md', 'utf8');
const [issuersText = '', claimsText = ''] = [...guide.matchAll(/```json\n([^`]+)```/g)].map(
  ([, block]) => block ?? '',
);
const claims = JSON.parse(claimsText) as Claims & { readonly iat: number; readonly exp: number };
const TEAM = '0199a8c0-1111-7abc-8def-0123456789ab';

let database: TestDatabase;
let provider: IdentityProvider;
let service: ClockedService;
let admin: FirstAdmin;

beforeAll(async () => {
  const [sqlite] = await databaseKinds();
  if (sqlite === undefined) throw new Error('No test database is available.');
  database = await sqlite.create();
  provider = await IdentityProvider.start();
  const before = await ClockedService.start({}, database.settings);
  admin = await before.app.get(FirstAdminService, { strict: false }).create({ email: 'admin@example.com' });
  await before.close();
  const TOKEN_ISSUERS = issuersText
    .replace(TEAM, admin.team.id)
    .replace('https://id.example.com/.well-known/jwks.json', provider.jwksUrl);
  service = await ClockedService.start({ TOKEN_ISSUERS }, database.settings);
});

afterAll(async () => {
  await service?.close();
  await provider?.close();
  await database?.drop();
});

it('the token exchange guide describes every field of a token issuer exactly once', () => {
  const described = [...guide.matchAll(/^\| `(\w+)` /gm)].map(([, field]) => field);
  expect(described).toEqual(TOKEN_ISSUER_FIELDS);
});

it('the configuration example of the token exchange guide is valid in production', () => {
  const [issuer] = checkedSettings({ NODE_ENV: 'production', TOKEN_ISSUERS: issuersText }).TOKEN_ISSUERS;
  expect(issuer).toMatchObject({ issuer: claims['iss'], audience: claims['aud'], any_team: false });
});

it('the request example of the token exchange guide returns the documented response', async () => {
  const seconds = Math.floor(service.clock.now() / 1000);
  const moved = { ...claims, iat: seconds, exp: seconds + (claims.exp - claims.iat) };
  const exchange = async (more: object) =>
    service.call('POST', '/v1/auth/token', {
      jwt: await provider.token(service.clock.now(), { ...moved, ...more }),
    });
  const { body } = await exchange({});
  expect(body.scopes).toEqual(['workflows:read', 'executions:write']);
  expect(body.expires_at).toBe(new Date(moved.exp * 1000).toISOString());
  const keyless = await exchange({ jti: 'second', scope: 'users:read' });
  const me = await service.call('GET', '/v1/users/me', undefined, {
    authorization: `Bearer ${keyless.body.token}`,
  });
  expect(me.body).toMatchObject({
    email: claims['email'],
    team_id: admin.team.id,
    teams: [{ id: admin.team.id, role: 'member' }],
  });
  expect(code(await exchange({ jti: 'third', org: 'billing' }))).toBe('403 team_not_allowed');
});
