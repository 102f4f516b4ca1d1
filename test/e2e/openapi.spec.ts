import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWholeService, type WholeService } from '../support/whole-service.js';

interface Media {
  readonly schema?: object;
  readonly example?: unknown;
}

interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
  readonly $ref?: string;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema?: object;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Document {
  readonly openapi: string;
  readonly security: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

let service: WholeService;
let document: Document;
let operations: readonly (readonly [string, Operation])[];

beforeAll(async () => {
  service = await startWholeService();
  const response = await fetch(`${service.url}/openapi.json`);
  document = (await response.json()) as Document;
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
});

afterAll(() => service.close());

/**
 * Matches paths outside the API: metrics, the OpenAPI document, its web page, the dashboard, the docs, and unknown
 * paths.
 */
const NO_OPERATION = /^\/(?:metrics|openapi\.json|swagger.*|dashboard.*|docs.*|\{\*path\})?$/;

const BODILESS = ['204', '304'];

describe('/openapi.json', () => {
  it('the operations in /openapi.json are exactly the routes of the API and their aliases under /v0', () => {
    const { router } = service.app.getHttpAdapter().getInstance() as unknown as {
      router: { stack: readonly { route?: { path: string; methods: Readonly<Record<string, boolean>> } }[] };
    };
    const routes = router.stack.flatMap(({ route }) =>
      route === undefined || NO_OPERATION.test(route.path)
        ? []
        : Object.keys(route.methods).map(
            (method) => `${method.toUpperCase()} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`,
          ),
    );
    const aliases = routes
      .filter((route) => route.startsWith('GET /v1/'))
      .map((route) => route.replace('/v1/', '/v0/'));
    expect(operations.map(([name]) => name).toSorted()).toEqual(
      [...new Set([...routes, ...aliases])].toSorted(),
    );
  });

  it('the operation ids in /openapi.json are unique and valid as function names in generated clients', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+[A-Z][A-Za-z0-9]+$/);
    for (const [name, { summary, tags }] of operations) {
      expect(summary, name).toMatch(/^[A-Z].*[^.]$/);
      expect(tags.length, name).toBe(1);
    }
  });

  it('every operation in /openapi.json has a success response, the common errors, and an example for each body', () => {
    for (const [name, { responses, requestBody, parameters, security }] of operations) {
      const isPublic = security?.some((requirement) => Object.keys(requirement).length === 0) ?? false;
      expect(Object.keys(responses), name).toEqual(
        expect.arrayContaining(isPublic ? ['400', '500'] : ['400', '401', '403', '429', '500']),
      );
      expect(
        Object.keys(responses).some((status) => status.startsWith('2')),
        name,
      ).toBe(true);
      for (const [status, answer] of Object.entries(responses)) {
        if (answer.$ref !== undefined) continue;
        expect(answer.headers, `${name} ${status}`).toHaveProperty('X-Request-Id');
        if (!BODILESS.includes(status) && answer.content === undefined)
          expect.fail(`${name} ${status} has no body`);
        for (const media of Object.values(answer.content ?? {})) expectExample(media, `${name} ${status}`);
      }
      for (const media of Object.values(requestBody?.content ?? {})) expectExample(media, `${name} body`);
      for (const parameter of parameters ?? []) {
        expect(parameter.schema, `${name} ${parameter.name}`).toBeDefined();
        expect(parameter.example, `${name} ${parameter.name}`).toBeDefined();
      }
    }
  });

  it('every operation that requires a bearer key in /openapi.json responds 401 without a key', async () => {
    expect(document.security).toEqual([{ bearer: [] }]);
    for (const [name, { security }] of operations) {
      if (security !== undefined) continue;
      const [method = '', path = ''] = name.split(' ');
      const response = await fetch(service.url + path.replaceAll(/\{[^}]+\}/g, 'x'), { method });
      expect(response.status, name).toBe(401);
    }
  });

  it('no operation in /openapi.json lists the same header twice in different letter case', () => {
    for (const [name, { parameters = [] }] of operations) {
      const headers = parameters.filter((one) => one.in === 'header').map((one) => one.name.toLowerCase());
      expect(new Set(headers).size, name).toBe(headers.length);
    }
  });

  it('every operation in /openapi.json lists the error 503; operations with an Idempotency-Key also list 409 and 422', () => {
    for (const [name, { parameters = [], responses }] of operations) {
      const names = parameters.map((one) => one.name);
      expect(Object.keys(responses), name).toContain('503');
      if (names.includes('Idempotency-Key'))
        expect(Object.keys(responses), name).toEqual(expect.arrayContaining(['409', '422']));
      if (names.includes('project_id')) expect(Object.keys(responses), name).toContain('404');
    }
    expect(document.paths['/v1/workflows']?.['post']?.responses).toHaveProperty('404');
  });

  it('the security scheme for bearer keys in /openapi.json has no `bearerFormat`', () => {
    expect(document.components['securitySchemes']?.['bearer']).not.toHaveProperty('bearerFormat');
  });

  it.each(['the running service', 'the built service'])(
    'the OpenAPI document of %s has only valid nullable schemas and array schemas',
    (which) => {
      const read = which === 'the running service' ? document : builtDocument();
      const faults: string[] = [];
      for (const [place, schema] of schemasIn(read, '')) {
        const { type, enum: values } = schema;
        if (schema['nullable'] === true && type === undefined)
          faults.push(`${place}: nullable without a type`);
        if (schema['nullable'] === true && Array.isArray(values) && !values.includes(null))
          faults.push(`${place}: nullable, and its enum lacks null`);
        if (type === 'array')
          for (const keyword of ['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'])
            if (keyword in schema) faults.push(`${place}: ${keyword} of an array`);
      }
      expect(faults).toEqual([]);
    },
  );

  it('every `$ref` in /openapi.json refers to an existing component', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g);
    for (const [, kind = '', name = ''] of references)
      expect(document.components[kind], name).toHaveProperty(name);
  });
});

function expectExample({ schema, example }: Media, where: string): void {
  expect(schema, where).toBeDefined();
  expect(example, where).toBeDefined();
}

/**
 * The OpenAPI document of the built service. Only this document has the descriptions from comments, because the
 * compiler adds them.
 */
function builtDocument(): Document {
  const folder = mkdtempSync(join(tmpdir(), 'workflow-openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    execFileSync(process.execPath, ['tools/scripts/openapi.mjs', file]);
    return JSON.parse(readFileSync(file, 'utf8')) as Document;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Node = Readonly<Record<string, unknown>>;

/** Yields every object in a value with its path, except examples, because examples are not schemas. */
function* schemasIn(value: unknown, place: string): Generator<readonly [string, Node]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, value as Node];
  for (const [key, member] of Object.entries(value))
    if (key !== 'example') yield* schemasIn(member, `${place}/${key}`);
}
