/** Generates the API pages from the OpenAPI document of the service. */
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

/** The parts of an OpenAPI document that the pages use. */
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

/** Tag of the deprecated reads. Only the first page mentions these reads. */
const LEFT_OUT = 'v0';
/** Statuses of errors that every operation may return. One page describes them for all operations. */
const COMMON = new Set(['400', '401', '403', '404', '413', '415', '429', '500', '503']);

/** Returns the texts of the pages by path. After the first page, there is one page for each tag, sorted by name. */
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

/** Returns paths and titles of the pages of `apiPages` for the navigation, without the first page. */
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

The API is JSON over HTTP: snake_case fields, times in ISO 8601 UTC with milliseconds. The running service describes
itself at \`/openapi.json\` (OpenAPI 3.0), \`/asyncapi.json\` (the socket) and \`/swagger\` (to try requests). These pages
are made from that document.

## Authentication

Each request needs the header \`Authorization: Bearer <API key>\`. A key is created in the dashboard under Settings, API
keys, or by \`POST /v1/keys\`. [Security](../security.md) tells more.

## Errors

Every error has one shape. \`type\` is one of a few, \`code\` is finer; both are stable.

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
    ['400', '`validation_error`', '`details.errors` names every wrong field with the reason.'],
    ['401', '`authentication_error`', 'The key is missing, unknown or expired.'],
    ['403', '`permission_error`', 'The key may not do this; `details.required_scope` names a missing scope.'],
    ['404', '`not_found_error`', 'There is no such resource.'],
    ['409', '`conflict_error`, `idempotency_error`', 'The state of the resource forbids it now.'],
    ['412', '`precondition_failed_error`', 'The resource changed since the `ETag` of `If-Match`.'],
    [
      '413, 415',
      '`payload_too_large_error`, `unsupported_media_type_error`',
      'The body is too large, or no JSON.',
    ],
    ['422', '`idempotency_error`', 'The `Idempotency-Key` was used with another body.'],
    ['429', '`rate_limit_error`', 'Wait `Retry-After` seconds: [plans and limits](../rate-limits.md).'],
    ['500, 503', '`server_error`, `unavailable_error`', 'Try again; `Retry-After` says when.'],
  ],
)}

## Lists

\`limit\` (1 to 100, default 20) and \`offset\` choose a page; \`pagination.next_cursor\` goes past offset 10,000. The newest
come first unless \`order=asc\`. The answer is \`{"data": [...], "pagination": {...}}\`.

## Repeating a request

\`Idempotency-Key\` on a POST makes it safe to repeat for 24 hours: the same key and body give the first answer again, with
\`Idempotent-Replayed: true\`.

## Reference

${groups.map(([tag, endpoints]) => `- [${titleOf(tag)}](${tag.replaceAll(' ', '-')}.md): ${operations(endpoints.length)}`).join('\n')}

\`/v0\` answers the reads of \`/v1\` and is deprecated. [All routes](../routes.md) lists the scope that each one needs.
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
