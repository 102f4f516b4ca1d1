/** Generates the API pages of the docs site from the OpenAPI document. */
import { code, fieldTable, type JsonSchema, type NamedSchemas, table, typeOf } from './json-schema.ts';
import type { SitePage } from './site.ts';

interface Media {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly deprecated?: boolean;
}

/** The parts of an OpenAPI document that the API pages use. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: NamedSchemas;
    readonly responses?: Readonly<Record<string, Answer>>;
  };
}

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/**
 * OpenAPI tag of the deprecated `/v0` routes, which get no page of their own. The index page of the API mentions them.
 */
const LEFT_OUT = 'v0';
/** Error statuses that every operation may return. Only the index page of the API describes them. */
const COMMON = new Set(['400', '401', '403', '404', '413', '415', '429', '500', '503']);

/** Returns the API pages as Markdown, by path: an index page, and one page for each OpenAPI tag. */
export function apiPages(document: OpenApiDocument): ReadonlyMap<string, string> {
  const groups = new Map<string, Endpoint[]>();
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      const tag = operation.tags?.[0]?.toLowerCase() ?? 'other';
      if (tag !== LEFT_OUT) groups.set(tag, [...(groups.get(tag) ?? []), { method, path, operation }]);
    }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map([
    ['api/index.md', indexPage(sorted)],
    ...sorted.map(([tag, endpoints]) => [`${pathOf(tag)}.md`, page(tag, endpoints, document)] as const),
  ]);
}

/** Returns the paths and titles of the API pages for the navigation, without the index page. */
export function apiNavigation(document: OpenApiDocument): readonly SitePage[] {
  return [...apiPages(document)]
    .slice(1)
    .map(([path, text]) => [path.slice(0, -3), text.slice(2, text.indexOf('\n'))]);
}

function pathOf(tag: string): string {
  return `api/${tag.replaceAll(' ', '-')}`;
}

function titleOf(tag: string): string {
  return tag.slice(0, 1).toUpperCase() + tag.slice(1);
}

function indexPage(groups: readonly (readonly [string, readonly Endpoint[]])[]): string {
  return `# Using the API

The API uses JSON over HTTP. Names of fields are in snake_case, and times are in ISO 8601 UTC with milliseconds. The running
service describes its operations at \`/openapi.json\` (OpenAPI 3.0), and the messages of its WebSocket at \`/asyncapi.json\`. At
\`/swagger\` you can try requests. These pages are generated from \`/openapi.json\`.

## Authentication

Each request needs the header \`Authorization: Bearer <API key>\`. Create an API key in the dashboard under Settings,
API Keys, or with \`POST /v1/keys\`. [Security](../security.md) describes keys.

## Errors

All errors have the same fields. \`type\` is one of the types in the table below, and \`code\` names the exact cause. Types
and codes do not change in later versions.

\`\`\`json
{
  "error": {
    "type": "not_found_error",
    "code": "workflow_not_found",
    "message": "There is no such workflow.",
    "request_id": "6f1c2f0e-3a54-4c8e-9d0b-2a7c5f4e1b90"
  }
}
\`\`\`

${table(
  ['status', 'type', 'meaning'],
  [
    [
      '400',
      '`validation_error`',
      'The request is invalid. `details.errors` names every invalid field with the reason.',
    ],
    ['401', '`authentication_error`', 'The key is missing, unknown or expired.'],
    [
      '403',
      '`permission_error`',
      'The key does not allow this request. If the key lacks a scope, `details.required_scope` names the scope.',
    ],
    ['404', '`not_found_error`', 'The resource does not exist.'],
    [
      '409',
      '`conflict_error`, `idempotency_error`',
      'The current state of the resource does not allow the request, or an earlier request with the same `Idempotency-Key` is still in progress.',
    ],
    [
      '412',
      '`precondition_failed_error`',
      'The resource has changed, so its `ETag` differs from the one in `If-Match`.',
    ],
    [
      '413, 415',
      '`payload_too_large_error`, `unsupported_media_type_error`',
      'The request body is too large, or is not JSON.',
    ],
    ['422', '`idempotency_error`', 'The `Idempotency-Key` was used before with a different request.'],
    [
      '429',
      '`rate_limit_error`',
      'The [rate limit](../rate-limits.md) is exceeded. Try again after `Retry-After` seconds.',
    ],
    [
      '500, 503',
      '`server_error`, `unavailable_error`',
      'The service has an internal error, or is not available. Try again, after `Retry-After` seconds if the response has this header.',
    ],
  ],
)}

## Lists

\`limit\` (1 to 100, default 20) and \`offset\` select a page of a list. To read beyond offset 10,000, send
\`pagination.next_cursor\` of the previous page as \`cursor\`. The newest items are first unless the request has \`order=asc\`.
The response is \`{"data": [...], "pagination": {...}}\`.

## Repeating a request

A POST request with the header \`Idempotency-Key\` can be repeated safely for 24 hours. A request with the same key and content
gets the first response again, with the header \`Idempotent-Replayed: true\`.

## Reference

${groups.map(([tag, endpoints]) => `- [${titleOf(tag)}](${tag.replaceAll(' ', '-')}.md): ${operations(endpoints.length)}`).join('\n')}

\`/v0\` has the same \`GET\` routes as \`/v1\` and is deprecated. [All routes](../routes.md) lists the scope that each route needs.
`;
}

function operations(count: number): string {
  return count === 1 ? '1 operation' : `${count} operations`;
}

function page(tag: string, endpoints: readonly Endpoint[], document: OpenApiDocument): string {
  return [
    `# ${titleOf(tag)}`,
    ...endpoints.flatMap((endpoint) => endpointParts(endpoint, document)),
    '[Using the API](index.md)',
  ].join('\n\n');
}

function endpointParts({ method, path, operation }: Endpoint, document: OpenApiDocument): readonly string[] {
  const named = document.components.schemas;
  const parts = [
    `## ${headingOf(operation)}`,
    `\`${method.toUpperCase()} ${path}\`${isPublic(operation) ? ' (public)' : ''}`,
  ];
  if (operation.deprecated === true) parts.push('Deprecated.');
  if (operation.description !== undefined && operation.description !== '') parts.push(operation.description);
  const { parameters = [], requestBody } = operation;
  if (parameters.length > 0)
    parts.push(
      table(
        ['parameter', 'in', 'type', 'meaning'],
        parameters.map(({ name, in: place, required, description = '', schema = {} }) => [
          code(name),
          place,
          typeOf(schema, named),
          [required === true ? 'Required.' : '', description].filter((part) => part !== '').join(' '),
        ]),
      ),
    );
  const body = Object.values(requestBody?.content ?? {})[0];
  if (body !== undefined) parts.push('Body:', ...mediaParts(body, named));
  return [...parts, ...answerParts(operation.responses, document)];
}

function headingOf({ summary, operationId }: Operation): string {
  return (summary === undefined || summary === '' ? operationId : summary).replace(/\.$/, '');
}

function isPublic({ security }: Operation): boolean {
  return security?.some((requirement) => Object.keys(requirement).length === 0) ?? false;
}

function mediaParts(media: Media, named: NamedSchemas): readonly string[] {
  const fields = media.schema === undefined ? '' : fieldTable(media.schema, named);
  const example = media.example === undefined ? '' : json(media.example);
  return [fields, example].filter((part) => part !== '');
}

function answerParts(
  responses: Readonly<Record<string, Answer>>,
  { components }: OpenApiDocument,
): readonly string[] {
  return Object.entries(responses).flatMap(([status, given]) => {
    const reference = given.$ref?.slice(given.$ref.lastIndexOf('/') + 1);
    const answer = reference === undefined ? given : (components.responses?.[reference] ?? given);
    if (Number(status) >= 400)
      return COMMON.has(status) ? [] : [`**${status}**: ${answer.description ?? ''}`];
    const media = Object.entries(answer.content ?? {})[0];
    const example =
      media?.[0] === 'application/json' && media[1].example !== undefined ? [json(media[1].example)] : [];
    return [`**${status}**: ${answer.description ?? ''}`, ...example];
  });
}

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
