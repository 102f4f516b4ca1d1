import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppModule } from '../../src/app.module.js';
import { type Role, ROLES, type Scope, type ScopeGrant, SCOPES } from '../../src/access/index.js';
import { type Route, routeTable } from '../../src/cli/route-table.js';
import { newKeySecret } from '../../src/keys/key-secret.js';
import { readSettings } from '../../src/settings/index.js';
import { AccessWorld } from '../support/access-world.js';
import { newKeyOf, newPerson } from '../support/people.js';

interface Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
}
interface Media {
  readonly schema: Schema;
}
interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, { readonly example?: unknown }>>;
  readonly required?: readonly string[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The part of an Express application that this test uses. */
interface RunningRouter {
  readonly router: {
    readonly stack: readonly {
      readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
    }[];
  };
}

/** A request, and a function that checks the response. */
interface Case {
  readonly name: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly isRight: (status: number, code: string, text: string) => boolean;
}

// The test creates the application a second time to read its routes. Nest would log warnings about this second
// application.
Logger.overrideLogger(false);
const ROUTES = await routeTable(AppModule.forRoot(readSettings({ NODE_ENV: 'test', LOG_LEVEL: 'silent' })));
/**
 * An unknown query parameter. Validation rejects each request that has this parameter. The guards check the request
 * before validation, so tests see the decision of the guards and no data changes.
 */
const HARMLESS = 'no_such_parameter=1';
/** Path segments of resources that belong to a project. */
const OF_PROJECTS = [
  'workflows',
  'executions',
  'sessions',
  'schedules',
  'hooks',
  'secrets',
  'webhooks',
  'projects',
  'keys',
];
/**
 * Path segments of resources that belong to the whole team. A key that is bound to a project can only read these
 * resources.
 */
const OF_TEAMS = ['teams', 'users'];
/** Paths that require the role admin or owner, because their responses describe the whole installation. */
const FOR_ADMINS = ['/v1/queue', '/v1/test-clock'];
/** For each request field that contains the id of a resource: the path segment of this kind of resource. */
const REFERENCES: Readonly<Record<string, string>> = {
  project_id: 'projects',
  session_id: 'sessions',
  workflow_id: 'workflows',
  execution_id: 'executions',
  team_id: 'teams',
  user_id: 'users',
};

/** Fields that a valid request body needs, although the OpenAPI document describes the fields as optional. */
const FURTHER_FIELDS: Readonly<Record<string, object>> = {
  'POST /v1/teams/{id}/members': { email: 'somebody@example.com' },
};

/** Query parameters that a GET request requires and that contain no id of a resource. */
const REQUIRED_QUERIES: Readonly<Record<string, string>> = { 'GET /v1/search': 'q=team' };

/**
 * Query parameters that a GET request requires and that contain an id. As their value, the test uses the id
 * in the path.
 */
const REQUIRED_REFERENCES: Readonly<Record<string, string>> = { 'GET /v1/executions/{id}/diff': 'with' };

let world: AccessWorld;
let document: Document;
let credentials: Readonly<
  Record<string, readonly [status: number, headers: Readonly<Record<string, string>>]>
>;
let lastAddress = 0;

/** Whether a role grants a scope. This is a second implementation, independent of the code under test. */
function roleGives(role: Role, scope: Scope): boolean {
  const [noun = '', verb] = scope.split(':');
  if (role === 'admin' || role === 'owner') return true;
  if (scope === 'users:write') return true;
  if (verb === 'read') return noun !== 'audit' && (noun !== 'secrets' || role === 'member');
  return role === 'member' && !['teams', 'projects', 'secrets'].includes(noun);
}

function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` };
}

function operationOf({ method, path }: Route): Operation | undefined {
  return document.paths[path]?.[method.toLowerCase()];
}

/** The documented schema of the JSON body of a route; undefined if the route has no body. */
function schemaOf(route: Route): Schema | undefined {
  const schema = operationOf(route)?.requestBody?.content['application/json']?.schema;
  const [, name] = /schemas\/(.+)$/.exec(schema?.$ref ?? '') ?? [];
  return name === undefined ? schema : document.components.schemas[name];
}

/** A valid body for a route, with the documented example of each required field. */
function bodyOf(route: Route): object | undefined {
  const schema = schemaOf(route);
  if (schema === undefined) return undefined;
  const { properties = {}, required = [] } = schema;
  const named = required.map((name) => [name, properties[name]?.example] as const);
  return { ...Object.fromEntries(named), ...FURTHER_FIELDS[`${route.method} ${route.path}`] };
}

/** Whether a route accepts only the cookie of the dashboard as a credential. */
function isForSignedIn(route: Route): boolean {
  const security = operationOf(route)?.security ?? [];
  return security.length > 0 && security.every((one) => 'dashboard' in one);
}

/** @returns the path of a request that changes no data. Other methods than GET get an invalid query parameter. */
function harmless({ method }: Route, path: string): string {
  return method === 'GET' ? path : `${path}?${HARMLESS}`;
}

/** Adds the required query parameter that contains an id, if the route has one. The value is the id in the path. */
function withReference({ method, path }: Route, filled: string): string {
  const name = REQUIRED_REFERENCES[`${method} ${path}`];
  return name === undefined ? filled : `${filled}?${name}=${filled.split('/')[3] ?? ''}`;
}

function* guardCases(route: Route, keys: ReadonlyMap<string, string>): Generator<Case> {
  for (const role of ROLES) {
    const isBelowAdmin = role !== 'admin' && role !== 'owner';
    for (const [name, scopes] of grantsFor(route)) {
      // Members whose role is below admin can access only their own API keys.
      const belongings = { ...world.belongings, keys: world.people[role].keyId };
      const path = harmless(route, world.path(route.path, belongings));
      const isGranted =
        route.access.kind !== 'scope' ||
        (roleGives(role, route.access.scope) && scopes.some((one) => one === '*' || one === scopeOf(route)));
      yield {
        name: `${role} with ${name}`,
        path,
        headers: bearer(keys.get(`${role} ${scopes.join()}`) ?? ''),
        isRight: (status, code) => {
          if (!isGranted) return status === 403 && (code === 'missing_scope' || isForSignedIn(route));
          if (isBelowAdmin && FOR_ADMINS.includes(route.path))
            return status === 403 && code === 'admin_required';
          return passes(status, code, isForSignedIn(route));
        },
      };
    }
  }
}

function passes(status: number, code: string, signedInOnly: boolean): boolean {
  return (status !== 401 && status !== 403 && status < 500) || (signedInOnly && code === 'sign_in_needed');
}

function scopeOf({ access }: Route): Scope | undefined {
  return access.kind === 'scope' ? access.scope : undefined;
}

function grantsFor(route: Route): readonly (readonly [string, readonly ScopeGrant[]])[] {
  const scope = scopeOf(route);
  const general: readonly (readonly [string, readonly ScopeGrant[]])[] = [
    ['*', ['*']],
    ['no scope', []],
  ];
  if (scope === undefined) return general;
  return [
    ...general,
    [`${scope} alone`, [scope]],
    [`all but ${scope}`, SCOPES.filter((one) => one !== scope)],
  ];
}

function* credentialCases(route: Route): Generator<Case> {
  const isPublic = route.access.kind === 'public';
  for (const [name, [status, headers]] of Object.entries(credentials)) {
    // The service checks the CSRF token of a cookie only for methods that can change data.
    if (name === 'a cookie without its CSRF token' && ['GET', 'ALL'].includes(route.method)) continue;
    yield {
      name,
      path: harmless(route, world.path(route.path)),
      headers,
      isRight: (answered) => (isPublic ? answered !== 403 && answered < 500 : answered === status),
    };
  }
}

function* reachCases(route: Route): Generator<Case> {
  if (route.access.kind === 'public' || !route.path.includes('{')) return;
  const [path, body] = [withReference(route, world.path(route.path)), bodyOf(route)];
  const noun = OF_PROJECTS.concat(OF_TEAMS).find((one) => route.path.includes(`/${one}/{`));
  // The service responds with 404 to these paths, because their token has no valid signature or their resource does
  // not exist. test/e2e/approvals.spec.ts tests tokens of other teams.
  const isUnknown = route.path.includes('*') || route.path.includes('{token}');
  yield {
    name: 'an owner of another team',
    path,
    headers: bearer(world.foreignKey),
    body,
    isRight: (status) => status === (isUnknown ? 404 : 403),
  };
  if (noun !== undefined && (OF_PROJECTS.includes(noun) || route.method !== 'GET'))
    yield {
      name: 'a key bound to another project',
      path,
      headers: bearer(world.boundKey),
      body,
      isRight: (status) => status === 403,
    };
  yield {
    name: 'something that is not there',
    path: withReference(route, world.path(route.path, { versions: '1', events: '1', field: 'output' })),
    headers: bearer(world.service.key),
    body,
    isRight: (status) => status === (isForSignedIn(route) ? 403 : 404),
  };
}

/** Requests to list and create routes, whose query or body contains ids of another team's resources. */
function* referenceCases(route: Route): Generator<Case> {
  if (route.access.kind === 'public' || isForSignedIn(route) || route.path.includes('{')) return;
  const [path, headers] = [world.path(route.path), bearer(world.foreignKey)];
  const secrets = Object.entries(world.belongings).flatMap(([noun, id]) =>
    id.length > 30 ? [[noun, id]] : [],
  );
  const query = REQUIRED_QUERIES[`${route.method} ${route.path}`] ?? '';
  const holdsNone = (text: string, except = ''): boolean =>
    secrets.every(([, id = '']) => id === except || !text.includes(id)) && !text.includes('of the team');
  if (route.method === 'GET')
    yield {
      name: 'a stranger sees nothing',
      path: `${path}?${query}`,
      headers,
      isRight: (_, __, text) => holdsNone(text),
    };
  for (const { name } of operationOf(route)?.parameters?.filter((one) => one.in === 'query') ?? []) {
    const id = world.belongings[REFERENCES[name] ?? ''];
    if (id === undefined || route.method !== 'GET') continue;
    yield {
      name: `a stranger asks with ${name}`,
      path: `${path}?${name}=${id}&${query}`,
      headers,
      isRight: (status, _, text) => status === 403 || (status === 200 && holdsNone(text, id)),
    };
  }
  const fields = schemaOf(route)?.properties ?? {};
  for (const [name, noun] of Object.entries(REFERENCES))
    if (name in fields && !route.path.endsWith('/validate'))
      yield {
        name: `a stranger names ${name} in the body`,
        path,
        headers,
        body: { ...bodyOf(route), [name]: world.belongings[noun] },
        isRight: (status) => status === 403,
      };
}

/** Sends the request of each case. @returns a description of each unexpected response */
async function faultsOf(route: Route, cases: readonly Case[]): Promise<readonly string[]> {
  const methods = route.method === 'ALL' ? ['GET', 'POST', 'DELETE'] : [route.method];
  const faults: string[] = [];
  for (const method of methods)
    await Promise.all(
      cases.map(async ({ name, path, headers, body, isRight }) => {
        lastAddress += 1;
        const response = await fetch(world.service.baseUrl + path, {
          method,
          headers: {
            // Each request has its own client address. Otherwise the limit of failed authentications per address would
            // reject later requests.
            'x-forwarded-for': `10.0.${lastAddress >> 8}.${lastAddress & 255}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
        if (!isRight(response.status, code, text))
          faults.push(`${method} ${path} by ${name}: ${response.status} ${text.slice(0, 300)}`);
      }),
    );
  return faults;
}

beforeAll(async () => {
  world = await AccessWorld.start();
  const { service } = world;
  document = (await service.get<Document>('/openapi.json', { key: null })).body;
  const owner = { id: service.admin.userId, teamId: service.admin.teamId, role: 'owner' } as const;
  const [deleted, expired, elsewhere] = [
    await newKeyOf(service, owner),
    await newKeyOf(service, owner),
    await newKeyOf(service, owner, { allowedIps: ['192.0.2.0/24'] }),
  ];
  await service.delete(`/v1/keys/${deleted.id}`);
  await world.change(`UPDATE api_keys SET expires_at = '2026-01-01T00:00:00.000Z' WHERE id = ?`, expired.id);
  const [gone, switchedOff] = [await newPerson(service, 'admin'), await newPerson(service, 'admin')];
  await world.change('DELETE FROM team_members WHERE user_id = ?', gone.id);
  await world.change('UPDATE users SET disabled_at = created_at WHERE id = ?', switchedOff.id);
  const { cookie } = await world.signedIn();
  credentials = {
    none: [401, {}],
    'an empty header': [401, { authorization: '' }],
    garbage: [401, bearer('garbage')],
    'a key that nobody has': [
      401,
      bearer(newKeySecret((size) => crypto.getRandomValues(Buffer.alloc(size)))),
    ],
    'another scheme': [401, { authorization: `Basic ${btoa(`:${service.key}`)}` }],
    'a deleted key': [401, bearer(deleted.secret)],
    'an expired key': [401, bearer(expired.secret)],
    'a key of somebody who left': [401, bearer(gone.key)],
    'a key of somebody who was switched off': [401, bearer(switchedOff.key)],
    'a key from another address': [403, bearer(elsewhere.secret)],
    'a cookie without its CSRF token': [403, { cookie, origin: service.baseUrl }],
    'a cookie from another origin': [401, { cookie, origin: 'https://evil.example' }],
    'a made-up cookie': [401, { cookie: 'workflow_sign_in=made-up', origin: service.baseUrl }],
  };
});
afterAll(() => world.stop());

describe('the access matrix', () => {
  it('the access rules in this test cover every route of the service, and no other route', () => {
    const { router } = world.service.app.getHttpAdapter().getInstance() as unknown as RunningRouter;
    const running = router.stack.flatMap(({ route }) =>
      route === undefined
        ? []
        : Object.keys(route.methods).map(
            (method) => `${method.toUpperCase()} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`,
          ),
    );
    // GET / redirects browsers to the dashboard. This route is not part of the API.
    const startPage = 'GET /';
    const known = new Set([startPage, ...ROUTES.map(({ method, path }) => `${method} ${path}`)]);
    expect(running.filter((one) => !known.has(one) && !one.endsWith('/{*path}'))).toEqual([]);
    expect([...known].filter((one) => !running.includes(one) && !one.endsWith('/{*path}'))).toEqual([]);
  });

  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'the route %s accepts only callers with the required credential, role, scope, team and project',
    async (_, route) => {
      const keys = new Map<string, string>();
      if (route.access.kind !== 'public')
        for (const role of ROLES)
          for (const [, scopes] of grantsFor(route))
            keys.set(`${role} ${scopes.join()}`, await world.keyOf(role, scopes));
      const before = await world.digest();
      const faults = await faultsOf(route, [
        ...(route.access.kind === 'public' ? [] : guardCases(route, keys)),
        ...credentialCases(route),
        ...reachCases(route),
        ...referenceCases(route),
      ]);
      expect(faults).toEqual([]);
      expect(await world.digest(), 'a rejected call changed the database').toBe(before);
    },
  );
});
