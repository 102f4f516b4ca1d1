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

/** Routes that are no operations: the document itself, its view, pages and the route for unknown paths. */
const NO_OPERATION = /^\/(?:openapi\.json|swagger.*|dashboard.*|\{\*path\})?$/;

describe('/openapi.json', () => {
  it('has every route, and nothing that is none', () => {
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

  it('names every operation once, in words that generated clients can use', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+[A-Z][A-Za-z0-9]+$/);
    for (const [name, { summary, tags }] of operations) {
      expect(summary, name).toMatch(/^[A-Z].*[^.]$/);
      expect(tags.length, name).toBe(1);
    }
  });

  it('says of every operation how it answers, refusals too, with an example of each', () => {
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
        if (status !== '204' && answer.content === undefined) expect.fail(`${name} ${status} has no body`);
        for (const media of Object.values(answer.content ?? {})) expectExample(media, `${name} ${status}`);
      }
      for (const media of Object.values(requestBody?.content ?? {})) expectExample(media, `${name} body`);
      for (const parameter of parameters ?? []) {
        expect(parameter.schema, `${name} ${parameter.name}`).toBeDefined();
        expect(parameter.example, `${name} ${parameter.name}`).toBeDefined();
      }
    }
  });

  it('asks for the bearer key wherever it is not public', async () => {
    expect(document.security).toEqual([{ bearer: [] }]);
    for (const [name, { security }] of operations) {
      if (security !== undefined) continue;
      const [method = '', path = ''] = name.split(' ');
      const response = await fetch(service.url + path.replaceAll(/\{[^}]+\}/g, 'x'), { method });
      expect(response.status, name).toBe(401);
    }
  });

  it('refers to nothing that is not there', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g);
    for (const [, kind = '', name = ''] of references)
      expect(document.components[kind], name).toHaveProperty(name);
  });
});

function expectExample({ schema, example }: Media, where: string): void {
  expect(schema, where).toBeDefined();
  expect(example, where).toBeDefined();
}
