import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;
type Response = Responses[string];

const V1 = '/v1/';
const TAG = 'v0';
const RESPONSE_REFERENCE = '#/components/responses/';

const HEADERS = {
  Deprecation: header('Time since which this path is deprecated (RFC 9745).', '@1795219200'),
  Sunset: header(
    'Earliest time at which the path may be removed (RFC 8594).',
    'Tue, 30 Nov 2027 23:59:59 GMT',
  ),
  Link: header('The path under `/v1` that replaces this path.', '</v1/workflows>; rel="successor-version"'),
};

/** Adds the deprecated paths of `/v0` to an OpenAPI document: one GET operation for each GET operation of `/v1`. */
export function withV0Reads(document: OpenAPIObject): OpenAPIObject {
  const paths = { ...document.paths };
  const responses: Responses = { ...document.components?.responses };
  for (const [path, { get }] of Object.entries(document.paths))
    if (get !== undefined && path.startsWith(V1))
      paths[`/v0/${path.slice(V1.length)}`] = { get: deprecated(get, path, responses) };
  return { ...document, paths, components: { ...document.components, responses } };
}

/** @param shared responses of the document, to which this function adds copies with deprecation headers */
function deprecated(operation: Operation, path: string, shared: Responses): Operation {
  const responses = Object.entries(operation.responses).map(([status, response]): [string, Response] => {
    if (response === undefined)
      throw new Error(`The OpenAPI document describes no response with status ${status} for ${path}.`);
    if (!('$ref' in response)) return [status, withHeaders(response)];
    const name = response.$ref.slice(RESPONSE_REFERENCE.length);
    const referred = shared[name];
    if (referred === undefined)
      throw new Error(
        `A response of ${path} refers to ${response.$ref}, which the OpenAPI document does not contain.`,
      );
    shared[`V0${name}`] ??= withHeaders(referred);
    return [status, { $ref: `${RESPONSE_REFERENCE}V0${name}` }];
  });
  return {
    ...operation,
    ...(operation.operationId !== undefined && { operationId: v0OperationId(operation.operationId) }),
    description: `Deprecated. Use \`GET ${path}\` instead.`,
    deprecated: true,
    tags: [TAG],
    responses: Object.fromEntries(responses),
  };
}

function withHeaders(response: Response): Response {
  return '$ref' in response ? response : { ...response, headers: { ...response.headers, ...HEADERS } };
}

/** Maps the operation id of a `/v1` path to that of its `/v0` path: `listWorkflows` to `listV0Workflows`. */
function v0OperationId(id: string): string {
  return id.replace(/^[a-z0-9]+/, '$&V0');
}

function header(description: string, example: string) {
  return { description, schema: { type: 'string' }, example } as const;
}
