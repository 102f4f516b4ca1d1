import { describe, expect, it } from 'vitest';
import { breakingDifferences } from '../../tools/scripts/openapi-differences.ts';

type Json = Readonly<Record<string, unknown>>;

const THING = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { type: 'string', maxLength: 255 },
    count: { type: 'integer', minimum: 1, maximum: 10 },
    status: { type: 'string', enum: ['open', 'closed'] },
    parent: { $ref: '#/components/schemas/Thing' },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

/** Returns an OpenAPI document with one operation, whose request and response contain a `Thing`. */
function documentOf(
  changes: { readonly thing?: Json; readonly operation?: Json; readonly path?: string } = {},
): Json {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } };
  const operation = {
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } },
      { name: 'If-Match', in: 'header', schema: { type: 'string' } },
    ],
    requestBody: { required: true, content },
    responses: { 200: { headers: { ETag: {} }, content }, 404: { $ref: '#/components/responses/Missing' } },
    ...changes.operation,
  };
  return {
    paths: { [changes.path ?? '/v1/things/{id}']: { put: operation } },
    components: {
      schemas: { Thing: changes.thing ?? THING },
      responses: { Missing: { content: {} } },
    },
  };
}

function withProperty(name: string, schema: Json | undefined, more: Json = {}): Json {
  const properties: Record<string, unknown> = { ...THING.properties, [name]: schema };
  if (schema === undefined) delete properties[name];
  return documentOf({ thing: { ...THING, properties, ...more } });
}

const NAME = 'PUT /v1/things/{id}';
const BODY = { schema: { type: 'object' } };

describe('the comparison of two OpenAPI documents', () => {
  it('the OpenAPI comparison finds no difference between a document with recursive schemas and itself', () => {
    expect(breakingDifferences(documentOf(), documentOf())).toEqual([]);
  });

  it.each<[string, Json]>([
    [
      'a new operation',
      { ...documentOf(), paths: { ...(documentOf()['paths'] as Json), '/v1/more': { get: {} } } },
    ],
    ['a renamed path parameter', documentOf({ path: '/v1/things/{thing_id}' })],
    ['a new optional property', withProperty('note', { type: 'string' })],
    ['a wider limit', withProperty('count', { type: 'integer', minimum: 0 })],
    ['a reference inside allOf', withProperty('parent', { allOf: [{ $ref: '#/components/schemas/Thing' }] })],
    [
      'a header parameter in a different case',
      documentOf({
        operation: {
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } },
            { name: 'if-match', in: 'header', schema: { type: 'string' } },
          ],
        },
      }),
    ],
    [
      'a removed header parameter',
      documentOf({
        operation: {
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } }],
        },
      }),
    ],
    [
      'a request body that becomes optional',
      documentOf({
        operation: {
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
        },
      }),
    ],
    [
      'an additional error status',
      documentOf({
        operation: {
          responses: {
            200: {
              headers: { etag: {} },
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
            },
          },
        },
      }),
    ],
  ])('the OpenAPI comparison reports no breaking difference for %s', (_what, after) => {
    expect(breakingDifferences(documentOf(), after)).toEqual([]);
  });

  it.each<[string, Json, readonly string[]]>([
    ['loses an operation', { paths: {} }, [`${NAME}: is removed`]],
    [
      'loses a query parameter',
      documentOf({ operation: { parameters: [] } }),
      [`${NAME}: no longer accepts the query parameter "limit"`],
    ],
    [
      'requires a parameter',
      documentOf({
        operation: {
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } },
            { name: 'team', in: 'query', required: true, schema: { type: 'string' } },
          ],
        },
      }),
      [`${NAME}: requires the query parameter "team"`],
    ],
    [
      'narrows a parameter',
      documentOf({
        operation: { parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50 } }] },
      }),
      [`${NAME} query parameter "limit": has the maximum 50`],
    ],
    [
      'loses the request body',
      documentOf({ operation: { requestBody: undefined } }),
      [`${NAME}: no longer accepts a body`],
    ],
    [
      'loses a media type of the body',
      documentOf({ operation: { requestBody: { required: true, content: { 'text/plain': BODY } } } }),
      [`${NAME} body: has no application/json`],
    ],
    [
      'loses a successful status',
      documentOf({ operation: { responses: { 201: {} } } }),
      [`${NAME}: no longer answers 200`],
    ],
    [
      'loses a header of a response',
      documentOf({
        operation: {
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          },
        },
      }),
      [`${NAME} 200: no longer has the header etag`],
    ],
    [
      'loses a property',
      withProperty('tags', undefined),
      [`${NAME} body.tags: is no longer accepted`, `${NAME} 200.tags: is removed`],
    ],
    [
      'requires a property',
      documentOf({ thing: { ...THING, required: ['id', 'name', 'count'] } }),
      [`${NAME} body.count: is required`],
    ],
    [
      'returns a response without a required property',
      documentOf({ thing: { ...THING, required: ['id'] } }),
      [`${NAME} 200.name: may be absent`],
    ],
    [
      'changes a type',
      withProperty('tags', { type: 'array', items: { type: 'integer' } }),
      [`${NAME} body.tags[]: is integer, not string`, `${NAME} 200.tags[]: is integer, not string`],
    ],
    [
      'returns null',
      withProperty('name', { type: 'string', maxLength: 255, nullable: true }),
      [`${NAME} 200.name: is string or null, not string`],
    ],
    [
      'loses an enum value',
      withProperty('status', { type: 'string', enum: ['open'] }),
      [`${NAME} body.status: no longer takes closed`],
    ],
    [
      'returns any value instead of an enum value',
      withProperty('status', { type: 'string' }),
      [`${NAME} 200.status: may have any value`],
    ],
    [
      'lowers a maximum',
      withProperty('count', { type: 'integer', minimum: 2, maximum: 10 }),
      [`${NAME} body.count: has the minimum 2`],
    ],
    [
      'adds a pattern',
      withProperty('name', { type: 'string', maxLength: 255, pattern: '^a' }),
      [`${NAME} body.name: has the pattern ^a`],
    ],
    ['loses a format', withProperty('id', { type: 'string' }), [`${NAME} 200.id: has no format "uuid"`]],
    [
      'accepts one of several types where any type was accepted',
      withProperty('count', { oneOf: [{ type: 'string' }, { type: 'boolean' }] }),
      [
        `${NAME} body.count: no longer accepts its option 1`,
        `${NAME} 200.count: has a new option 1`,
        `${NAME} 200.count: has a new option 2`,
      ],
    ],
  ])('the OpenAPI comparison reports a breaking difference if the new document %s', (_what, after, lines) => {
    expect([...breakingDifferences(documentOf(), after)].toSorted()).toEqual([...lines].toSorted());
  });

  it('the OpenAPI comparison reports no breaking difference if a response may contain a new enum value', () => {
    const responseOnly = (values: readonly string[]): Json => ({
      paths: {
        '/v1/things': {
          get: {
            responses: {
              200: { content: { 'application/json': { schema: { type: 'string', enum: values } } } },
            },
          },
        },
      },
    });
    expect(breakingDifferences(responseOnly(['open']), responseOnly(['open', 'closed']))).toEqual([]);
  });

  it('the OpenAPI comparison reports a breaking difference if a public operation starts to require a credential', () => {
    const open = documentOf({ operation: { security: [{}] } });
    expect(breakingDifferences(open, documentOf())).toEqual([`${NAME}: asks for a credential`]);
    expect(breakingDifferences(documentOf(), open)).toEqual([]);
  });
});
