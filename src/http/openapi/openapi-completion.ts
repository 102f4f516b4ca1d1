import type { OpenAPIObject } from '@nestjs/swagger';
import type { MediaTypeObject, OperationObject, ReferenceObject, ResponseObject } from './openapi-types.js';
import { exampleOf, type Schemas } from './openapi-example.js';
import {
  type AnswerStatus,
  ERROR_SCHEMA,
  isAnswerStatus,
  refusalMeaning,
  refusalResponse,
} from './openapi-errors.js';
import { operationSummary } from './operation-id.js';
import { correctSchemas, dropUnusedSchemas } from './openapi-schemas.js';
import { bodyMayBeAbsent } from '../validation/validation.pipe.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const PROJECT_FIELD = 'project_id';

const REQUEST_ID = {
  description: 'Id of the request. If you sent a valid `X-Request-Id`, the service returns it.',
  schema: { type: 'string' },
  example: '6f1c2f0e-3a54-4c8e-9d0b-2a7c5f4e1b90',
};
const RATE_LIMIT = {
  'X-RateLimit-Limit': {
    description: 'Burst of the rate-limit plan: the number of requests that you can send without waiting.',
    schema: { type: 'integer' },
    example: 100,
  },
  'X-RateLimit-Remaining': {
    description: 'Number of requests that you can still send without waiting.',
    schema: { type: 'integer' },
    example: 99,
  },
  'X-RateLimit-Reset': {
    description:
      'Unix time in seconds at which the full burst is available again if you send no further request.',
    schema: { type: 'integer' },
    example: 1_795_253_400,
  },
};

/** Adds error responses, headers, examples and unique ids to all operations of an OpenAPI document. */
export function completed(document: OpenAPIObject): OpenAPIObject {
  const scanned = document.components?.schemas ?? {};
  correctSchemas(scanned);
  dropUnusedSchemas(scanned, document);
  const schemas: Schemas = { ...document.components?.schemas, Error: ERROR_SCHEMA };
  const ids = new Set<string>();
  const refusals = new Set<AnswerStatus>();
  for (const [path, item] of Object.entries(document.paths))
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      operation.operationId = unused(operation.operationId ?? method, ids);
      operation.summary ||= operationSummary(operation.operationId);
      if (method === 'get') documentConditionalRead(operation);
      complete(operation, path, schemas, refusals);
    }
  const responses = Object.fromEntries(
    [...refusals].map((status) => [componentName(status), withHeaders(refusalResponse(status), {})]),
  );
  return { ...document, components: { ...document.components, schemas: { ...schemas }, responses } };
}

/**
 * Makes an operation id unique. For a handler with two paths, @nestjs/swagger creates the ids `start[0]` and
 * `start[1]`, which become `start` and `start2`.
 */
function unused(scanned: string, ids: Set<string>): string {
  const id = scanned.replace(/\[\d+\]$/, '');
  let name = id;
  for (let count = 2; ids.has(name); count++) name = `${id}${count}`;
  ids.add(name);
  return name;
}

function complete(operation: OperationObject, path: string, schemas: Schemas, used: Set<AnswerStatus>): void {
  const isPublic = operation.security?.some((requirement) => Object.keys(requirement).length === 0) ?? false;
  for (const parameter of operation.parameters ?? []) {
    if ('$ref' in parameter || parameter.schema === undefined) continue;
    parameter.example ??= exampleOf(parameter.schema, schemas);
    // The only query parameters of type object have the form `metadata[key]=value`, which OpenAPI calls `deepObject`.
    if (parameter.in === 'query' && !('$ref' in parameter.schema) && parameter.schema.type === 'object')
      Object.assign(parameter, { style: 'deepObject', explode: true });
  }
  if (operation.requestBody !== undefined && !('$ref' in operation.requestBody)) {
    addExamples(operation.requestBody.content, schemas);
    if (Object.values(operation.requestBody.content).every(mayBeAbsent))
      operation.requestBody.required = false;
  }
  const { responses } = operation;
  for (const status of expectedRefusals(operation, path, isPublic, schemas))
    responses[status] ??= { description: refusalMeaning(status) };
  for (const [status, response] of Object.entries(responses))
    if (response !== undefined && !('$ref' in response))
      responses[status] = completeResponse(Number(status), response, isPublic, schemas, used);
}

/** Documents the header `If-None-Match` and the status 304 for a GET operation whose response has an entity tag. */
function documentConditionalRead(operation: OperationObject): void {
  const read = operation.responses['200'];
  if (read === undefined || '$ref' in read) return;
  const etag = read.headers?.['ETag'];
  if (etag === undefined) return;
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description:
        'ETag that you received when you read the resource. If the resource has not changed since then, the response is 304 without a body.',
      schema: { type: 'string' },
      example: '"3"',
    },
  ];
  operation.responses['304'] = {
    description: 'The resource has not changed: its ETag equals `If-None-Match`.',
    headers: { ETag: etag },
  };
}

function expectedRefusals(
  operation: OperationObject,
  path: string,
  isPublic: boolean,
  schemas: Schemas,
): readonly AnswerStatus[] {
  return [
    400,
    ...(isPublic ? ([] as const) : ([401, 403] as const)),
    ...(path.includes('{') || namesProject(operation, schemas) ? ([404] as const) : ([] as const)),
    ...(operation.requestBody === undefined ? ([] as const) : ([413, 415] as const)),
    429,
    500,
    503,
  ];
}

/**
 * Whether the parameters or the body of an operation contain a project id. The operation then responds with 404 for an
 * unknown project.
 */
function namesProject({ parameters = [], requestBody }: OperationObject, schemas: Schemas): boolean {
  if (parameters.some((parameter) => !('$ref' in parameter) && parameter.name === PROJECT_FIELD)) return true;
  if (requestBody === undefined || '$ref' in requestBody) return false;
  return Object.values(requestBody.content).some(({ schema }) => {
    const named = schema !== undefined && '$ref' in schema ? schemas[schemaName(schema)] : schema;
    return named !== undefined && !('$ref' in named) && PROJECT_FIELD in (named.properties ?? {});
  });
}

function completeResponse(
  status: number,
  response: ResponseObject,
  isPublic: boolean,
  schemas: Schemas,
  used: Set<AnswerStatus>,
): ResponseObject | ReferenceObject {
  if (isAnswerStatus(status) && response.content === undefined) {
    if (response.description !== refusalMeaning(status))
      return withHeaders(refusalResponse(status, response.description), {});
    used.add(status);
    return { $ref: `#/components/responses/${componentName(status)}` };
  }
  if (response.content !== undefined) addExamples(response.content, schemas);
  return withHeaders(response, isPublic ? {} : RATE_LIMIT);
}

function withHeaders(response: ResponseObject, more: NonNullable<ResponseObject['headers']>): ResponseObject {
  return { ...response, headers: { 'X-Request-Id': REQUEST_ID, ...more, ...response.headers } };
}

function mayBeAbsent({ schema }: MediaTypeObject): boolean {
  return schema !== undefined && '$ref' in schema && bodyMayBeAbsent(schemaName(schema));
}

function schemaName({ $ref }: ReferenceObject): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function addExamples(content: Readonly<Record<string, MediaTypeObject>>, schemas: Schemas): void {
  for (const media of Object.values(content))
    if (media.example === undefined && media.examples === undefined && media.schema !== undefined)
      media.example = exampleOf(media.schema, schemas);
}

function componentName(status: AnswerStatus): string {
  return `Error${status}`;
}
