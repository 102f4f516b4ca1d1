import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AppModule } from '../../src/app.module.js';
import { routeTable } from '../../src/cli/route-table.js';
import { readSettings, SETTING_NAMES } from '../../src/settings/settings.js';

/** The fields of a service in compose.yaml that this test reads. */
interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly deploy?: { readonly replicas: number };
  readonly stop_grace_period?: string;
  readonly volumes?: readonly string[];
}

interface Values {
  readonly settings: Readonly<Record<string, string>>;
  readonly terminationGracePeriodSeconds: number;
  readonly preStopSeconds: number;
}

const CHART = 'deploy/helm/workflow-service';
/** Maximum duration of a shutdown in seconds, as defined in start/shutdown.ts. */
const ENDS_WITHIN_SECONDS = 30;
/** Environment variables of the image that are build information for platform/build/build-info.ts, not settings. */
const BUILD_INFO = ['COMMIT_SHA', 'BUILT_AT'];
const SECRET = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'SECRETS_KEY',
  'SECRETS_KEY_OLD',
  'METRICS_TOKEN',
  'TOKEN_ISSUERS',
  'OTEL_EXPORTER_OTLP_HEADERS',
];
/**
 * Settings that the Helm chart does not offer. For example, the chart needs no TLS certificate, because the Ingress
 * terminates TLS.
 */
const NOT_IN_CHART = ['TLS_CERT', 'TLS_KEY', 'TEST_CLOCK'];
const SET_BY_CHART = ['HOST', 'PORT', 'ROLE', 'DATA_DIR'];

const names = SETTING_NAMES as readonly string[];
const text = (path: string): string => readFileSync(path, 'utf8');
const dockerfile = text('Dockerfile');
const composeText = text('compose.yaml');
const compose = parse(composeText, { merge: true }) as { services: Readonly<Record<string, ComposeService>> };
const ours = Object.entries(compose.services).filter(([, { image }]) =>
  filledIn(image).startsWith('workflow-service:'),
);
const values = parse(text(`${CHART}/values.yaml`)) as Values;
const schema = JSON.parse(text(`${CHART}/values.schema.json`)) as {
  properties: { settings: { propertyNames: { enum: readonly string[] } } };
};
const templates = readdirSync(`${CHART}/templates`)
  .map((file) => text(`${CHART}/templates/${file}`))
  .join('\n');
const version = (JSON.parse(text('package.json')) as { version: string }).version;
const routes = await routeTable(AppModule.forRoot(readSettings({ NODE_ENV: 'test', LOG_LEVEL: 'silent' })));
const isPublicGet = (path: string): boolean =>
  routes.some((route) => route.method === 'GET' && route.path === path && route.access.kind === 'public');

/** Replaces each `${NAME}` with the test value of the variable, or with its default if there is no test value. */
function filledIn(value: string): string {
  const given: Readonly<Record<string, string>> = {
    POSTGRES_PASSWORD: 'abc123',
    REDIS_PASSWORD: 'def456',
    SECRETS_KEY: randomBytes(32).toString('base64'),
  };
  return value.replace(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, name: string, fallback?: string) => {
    return given[name] ?? fallback ?? '';
  });
}

/** Returns the first group of each match of a pattern, in order. */
function found(pattern: RegExp, within: string): readonly string[] {
  return [...within.matchAll(pattern)].map(([, group]) => group ?? '');
}

/** Returns the source file of a built file, for example `src/main.ts` for `dist/src/main.js`. */
function sourceOf(built: string): string {
  return built.replace(/^dist\//, '').replace(/\.js$/, '.ts');
}

describe('the image', () => {
  it('the Docker image sets only known settings, with valid values', () => {
    const set = Object.fromEntries(
      found(/^ENV (.+)$/gm, dockerfile)
        .flatMap((line) => line.split(' '))
        .map((pair) => pair.split('=') as [string, string]),
    );
    expect(Object.keys(set).filter((name) => !names.includes(name))).toEqual(BUILD_INFO);
    expect(readSettings(set)).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0', PORT: 3000 });
    expect(found(/^EXPOSE (\d+)$/gm, dockerfile)).toEqual([set['PORT']]);
  });

  it('the Docker image starts an existing file with `node`, as an unprivileged user and without a shell', () => {
    expect(found(/^USER (.+)$/gm, dockerfile)).toEqual(['1000:1000']);
    const [command] = found(/^CMD (.+)$/gm, dockerfile).map((line) => JSON.parse(line) as string[]);
    expect(command?.[0]).toBe('node');
    expect(existsSync(sourceOf(command?.[1] ?? ''))).toBe(true);
  });

  it('the health check of the Docker image is a valid script that requests a public route', () => {
    const check = JSON.parse(/HEALTHCHECK[^\n]*\\\n\s+CMD (.+)$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
    expect(check.slice(0, 2)).toEqual(['node', '-e']);
    expect(() => new Script(check[2] ?? '(')).not.toThrow();
    expect(found(/path: '([^']+)'/g, check[2] ?? '').map(isPublicGet)).toEqual([true]);
  });

  it('the Dockerfile copies only files that exist and that .dockerignore does not exclude', () => {
    const ignored = text('.dockerignore').split('\n');
    const sources = dockerfile
      .split('\n')
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) {
      expect(existsSync(source), source).toBe(true);
      expect(ignored, source).toContain(`!${source.split('/', 1)[0]}`);
    }
    expect(ignored[1]).toBe('*');
  });

  it('the Docker image uses the Node.js version with which the project is tested', () => {
    const { devDependencies } = JSON.parse(text('package.json')) as {
      devDependencies: Record<string, string>;
    };
    const image = `node:${devDependencies['node']}-slim`;
    expect(found(/^ARG NODE_IMAGE=(\S+)$/gm, dockerfile)).toEqual([image]);
    expect(new Set(found(/^FROM (\S+)/gm, dockerfile))).toEqual(new Set(['${NODE_IMAGE}']));
    expect(found(/NODE_IMAGE: (\S+)$/gm, composeText).map(filledIn)).toEqual([image]);
  });
});

describe('compose.yaml', () => {
  it('compose.yaml passes only known settings with valid values to the processes of the service', () => {
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'api', 'worker']);
    for (const [name, { environment = {} }] of ours) {
      expect(
        Object.keys(environment).filter((one) => !names.includes(one)),
        name,
      ).toEqual([]);
      const settings = readSettings(
        Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filledIn(value)])),
      );
      expect(settings.database, name).toMatchObject({
        dialect: 'postgres',
        url: expect.stringContaining('workflow:abc123@postgres'),
      });
      expect(settings.ROLE, name).toBe(name === 'migrate' ? 'all' : name);
    }
  });

  it('compose.yaml runs two replicas of each role, with a stop_grace_period that is longer than a shutdown', () => {
    for (const name of ['api', 'worker']) {
      expect(compose.services[name]?.deploy?.replicas).toBe(2);
      expect(Number.parseInt(compose.services[name]?.stop_grace_period ?? '0', 10)).toBeGreaterThan(
        ENDS_WITHIN_SECONDS,
      );
    }
  });

  it('compose.yaml has no default for the database password or the secrets key', () => {
    const secrets = found(/\$\{(POSTGRES_PASSWORD|SECRETS_KEY)(?!:\?)/g, composeText);
    expect(secrets).toEqual([]);
    expect(found(/POSTGRES_PASSWORD: (.)/g, composeText)).toEqual(['$']);
  });

  it('compose.yaml names the current version of the service, images without a registry host, and only existing files', () => {
    for (const [name, { image: named, command, volumes = [] }] of Object.entries(compose.services)) {
      const image = filledIn(named);
      expect(image, name).toMatch(/^[\w-]+:[\w.-]+$/);
      if (image.startsWith('workflow-service:')) expect(image).toBe(`workflow-service:${version}`);
      if (command?.[0] === 'node') expect(existsSync(sourceOf(command[1] ?? '')), name).toBe(true);
      for (const volume of volumes.filter((one) => one.startsWith('./')))
        expect(existsSync(volume.split(':', 1)[0] ?? ''), volume).toBe(true);
    }
  });

  it('the proxy in compose.yaml forwards requests to the port of the service', () => {
    const port = found(/^ENV .*PORT=(\d+)/gm, dockerfile)[0];
    expect(found(/server (\S+) resolve;/g, text('deploy/proxy/nginx.conf'))).toEqual([`api:${port}`]);
    const probes = found(/http:\/\/127\.0\.0\.1:8080(\/[\w/]+)/g, composeText);
    expect(probes.map(isPublicGet)).toEqual([true]);
  });
});

describe('the Helm chart', () => {
  it('the values schema of the Helm chart accepts the defaults, and rejects unknown values and secret settings', () => {
    const validate = new Ajv({ strict: false }).compile(schema);
    expect(validate(values), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...values, settings: { DATABASE_URL: 'postgres://user:password@db/flows' } })).toBe(
      false,
    );
    expect(validate({ ...values, replicas: 3 })).toBe(false);
  });

  it('the Helm chart accepts every setting that is not secret and that the chart does not set itself', () => {
    expect(new Set(schema.properties.settings.propertyNames.enum)).toEqual(
      new Set(names.filter((name) => ![...SECRET, ...SET_BY_CHART, ...NOT_IN_CHART].includes(name))),
    );
    expect(
      readSettings({ ...values.settings, DATABASE_URL: 'postgres://db/flows', ROLE: 'worker' }).NODE_ENV,
    ).toBe('production');
  });

  it('the Helm chart sets only known settings and roles', () => {
    expect(found(/- \{ name: ([A-Z_]+), value/g, templates).toSorted()).toEqual(SET_BY_CHART.toSorted());
    const roles = found(/range \$role := list ([^}]+) \}\}/g, templates)[0]?.match(/\w+/g);
    expect(roles).toEqual(['api', 'worker']);
    for (const role of roles ?? [])
      expect(readSettings({ ROLE: role, DATABASE_URL: 'postgres://db/flows' }).ROLE).toBe(role);
  });

  it('the probes of the Helm chart request public routes at the port that the chart sets', () => {
    const probed = found(/httpGet: \{ path: (\S+), port: http \}/g, templates);
    expect(probed).toHaveLength(3);
    expect(probed.filter((path) => !isPublicGet(path))).toEqual([]);
    expect(found(/containerPort: (\d+)/g, templates)).toEqual(
      found(/name: PORT, value: '(\d+)'/g, templates),
    );
  });

  it('the Helm chart gives pods enough time to shut down, and has a default for every value in its templates', () => {
    expect(values.terminationGracePeriodSeconds).toBeGreaterThan(values.preStopSeconds + ENDS_WITHIN_SECONDS);
    for (const path of found(/\.Values\.([\w.]+)/g, templates)) {
      let value: unknown = values;
      for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
      expect(value, path).toBeDefined();
    }
  });

  it('the Helm chart has the same version as the project', () => {
    expect(parse(text(`${CHART}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
  });
});
