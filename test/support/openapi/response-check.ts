import { Ajv2019, type ValidateFunction } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { basePathOf, withoutBasePath } from '../../../src/http/edge/request-path.js';
import { type DocumentSchema, strictComponents, strictSchema } from './strict-schema.js';

interface Media {
  readonly schema?: DocumentSchema;
}

interface DocumentedResponse {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

export interface OpenApiDocument {
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, DocumentSchema>>;
    readonly responses?: Readonly<Record<string, DocumentedResponse>>;
  };
}

export interface Exchange {
  readonly method: string;
  /** Path of the request URL, without the query. */
  readonly path: string;
  /** The request body, if it is text in JSON. */
  readonly sent?: string;
  readonly status: number;
  readonly headers: Headers;
  /** The response body; undefined for an event stream, whose body is not read. */
  readonly received: string | undefined;
}

/** Paths that the OpenAPI document does not describe: the document itself, pages, files and the WebSocket. */
const NO_OPERATION = /^\/(?:openapi\.json|swagger.*|dashboard.*|docs.*|metrics|ws)?$/;
/** Statuses with which the HTTP parser rejects a request before the service knows the API operation. */
const PARSER_STATUSES: readonly number[] = [408, 431];
/** Path of the operation that validates workflows. It accepts invalid workflows and returns their errors. */
const VALIDATION = '/v1/workflows/validate';
const ERROR: DocumentSchema = { $ref: '#/components/schemas/Error' };

/** Compares requests and responses with the OpenAPI document of the service. */
export class ResponseCheck {
  private readonly ajv = new Ajv2019({
    strict: false,
    allErrors: true,
    validateSchema: false,
    // Compiling takes a third of the time with these settings, and most schemas check only a few responses.
    inlineRefs: false,
    code: { optimize: false },
  });
  private readonly validators = new Map<DocumentSchema, ValidateFunction>();
  /**
   * The documented paths as regular expressions. Paths with fewer parameters come first, so that `/executions/stats`
   * has precedence over `/executions/{id}`.
   */
  private readonly paths: readonly (readonly [RegExp, string])[];

  /** The path of `BASE_URL`, which precedes every path of the OpenAPI document. */
  private readonly basePath: string;

  constructor(private readonly document: OpenApiDocument) {
    const [server] = document.servers ?? [];
    this.basePath = server?.url.startsWith('http') === true ? basePathOf(server.url) : '';
    addFormats.default(this.ajv);
    this.ajv.addSchema(strictComponents(document.components.schemas));
    this.paths = Object.keys(document.paths)
      .toSorted((one, other) => one.split('{').length - other.split('{').length)
      .map((path) => [new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`), path]);
  }

  /** Returns true if the OpenAPI document contains the operation, or if the path needs no documentation. */
  hasOperation({ method, path: requested }: Exchange): boolean {
    const path = withoutBasePath(requested, this.basePath);
    return NO_OPERATION.test(path) || this.find(method, path).operation !== undefined;
  }

  /** Returns the differences between a request with its response and the OpenAPI document. */
  faults(exchange: Exchange): readonly string[] {
    const { method, status } = exchange;
    const path = withoutBasePath(exchange.path, this.basePath);
    if (NO_OPERATION.test(path)) return [];
    const { template, operation } = this.find(method, path);
    const faults =
      operation === undefined || PARSER_STATUSES.includes(status)
        ? this.refusalFaults(exchange)
        : [...this.responseFaults(exchange, operation), ...this.requestFaults(exchange, operation)];
    return faults.map((fault) => `${method} ${template ?? path} ${status}: ${fault}`);
  }

  private find(
    method: string,
    path: string,
  ): { readonly template: string | undefined; readonly operation: Operation | undefined } {
    const templates = this.paths.flatMap(([pattern, template]) => (pattern.test(path) ? [template] : []));
    // If several paths match, prefers one that has the method: `GET /users/me` has its own path, but `PATCH /users/me`
    // belongs to `/users/{id}`.
    const template = templates.find((one) => this.operation(one, method) !== undefined) ?? templates[0];
    return { template, operation: template === undefined ? undefined : this.operation(template, method) };
  }

  private operation(template: string, method: string): Operation | undefined {
    const operations = this.document.paths[template];
    return operations?.[method.toLowerCase()] ?? (method === 'HEAD' ? operations?.['get'] : undefined);
  }

  /**
   * Checks the response to a request for an undocumented operation. The response must have an error status and the
   * standard error format.
   */
  private refusalFaults({ method, status, received }: Exchange): readonly string[] {
    if (method === 'OPTIONS' && status === 204) return [];
    if (status < 400) return ['no operation is documented'];
    return method === 'HEAD' ? [] : this.jsonFaults(ERROR, received);
  }

  private responseFaults(exchange: Exchange, { responses }: Operation): readonly string[] {
    const documented = responses[String(exchange.status)];
    if (documented === undefined) return ['the status is not documented'];
    const response = this.resolved(documented);
    const missing = Object.keys(response.headers ?? {}).filter(
      (name) => isAlwaysThere(name) && !exchange.headers.has(name),
    );
    return [
      ...missing.map((name) => `the documented header ${name} is missing`),
      ...(exchange.method === 'HEAD' ? [] : this.contentFaults(exchange, response.content)),
    ];
  }

  private contentFaults(
    { headers, received }: Exchange,
    content: DocumentedResponse['content'],
  ): readonly string[] {
    const type = headers.get('content-type')?.split(';')[0]?.trim();
    if (content === undefined)
      return received === '' || received === undefined ? [] : ['a body came and none is documented'];
    if (type === undefined)
      return received === '' ? ['no body came and one is documented'] : ['no content type'];
    const media = content[type];
    if (media === undefined) return [`the content type ${type} is not documented`];
    return isJson(type) && media.schema !== undefined ? this.jsonFaults(media.schema, received) : [];
  }

  /** Checks that the OpenAPI document allows a request body that the service accepted. */
  private requestFaults(
    { method, path, sent, status }: Exchange,
    { requestBody }: Operation,
  ): readonly string[] {
    const media = requestBody?.content['application/json'];
    if (status >= 300 || sent === undefined || media?.schema === undefined || path === VALIDATION) return [];
    // The body of a PUT request may contain read-only fields, because the service ignores them.
    return this.jsonFaults(media.schema, sent, method !== 'PUT').map((fault) => `accepted request: ${fault}`);
  }

  private jsonFaults(schema: DocumentSchema, text: string | undefined, isClosed = true): readonly string[] {
    if (text === undefined) return [];
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return [`the body is not JSON: ${text.slice(0, 80)}`];
    }
    const validate = this.validator(schema, isClosed);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  private validator(schema: DocumentSchema, isClosed: boolean): ValidateFunction {
    let validator = this.validators.get(schema);
    if (validator === undefined) {
      validator = this.ajv.compile(strictSchema(schema, isClosed));
      this.validators.set(schema, validator);
    }
    return validator;
  }

  private resolved(response: DocumentedResponse): DocumentedResponse {
    if (response.$ref === undefined) return response;
    return (
      this.document.components.responses?.[response.$ref.slice(response.$ref.lastIndexOf('/') + 1)] ??
      response
    );
  }
}

function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json');
}

/**
 * Returns whether every response must have the header if it is documented. Only rate-limit headers are optional,
 * because responses to unknown callers omit them.
 */
function isAlwaysThere(header: string): boolean {
  return !header.startsWith('X-RateLimit-');
}
