import type { JsonObject } from '../../expressions/index.js';

const scalar: JsonObject = { type: ['string', 'number', 'boolean', 'null'] };

export const HTTP_SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    method: {
      enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      default: 'GET',
      title: 'Method',
    },
    url: {
      type: 'string',
      minLength: 1,
      maxLength: 8192,
      pattern: '^[hH][tT][tT][pP][sS]?://[^/]',
      title: 'URL',
      description: 'An http or https URL without user name and password.',
    },
    headers: {
      type: 'object',
      propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" },
      additionalProperties: scalar,
      title: 'Headers',
      description:
        'Request headers. Headers that control the connection, such as Host and Content-Length, cannot be set. The service adds an Idempotency-Key header to POST, PUT, PATCH and DELETE requests unless you set one here.',
    },
    query: {
      type: 'object',
      additionalProperties: {
        anyOf: [
          { ...scalar, title: 'a value' },
          { type: 'array', items: scalar, title: 'a list of values' },
        ],
      },
      title: 'Query',
      description:
        'Query parameters to add to the URL. A list is sent as a repeated parameter. Parameters that are null are omitted.',
    },
    body: {
      title: 'Body',
      description:
        'Body of the request. A string is sent unchanged, and any other value as JSON. If the value is null, the request has no body.',
    },
    accept_status: {
      type: 'array',
      minItems: 1,
      items: {
        anyOf: [
          { title: 'a status from 100 to 599', type: 'integer', minimum: 100, maximum: 599 },
          { title: 'a class such as "2xx"', type: 'string', pattern: '^[1-5]xx$' },
        ],
      },
      default: ['2xx'],
      title: 'Accepted statuses',
      description:
        'Statuses with which the node completes. With any other status, the node fails. A redirect status in this list is accepted and not followed.',
    },
    max_response_bytes: {
      type: 'integer',
      minimum: 1,
      maximum: 10_485_760,
      default: 1_048_576,
      title: 'Maximum response size',
      description: 'Maximum size of the response body in bytes, after decompression. Default: 1 MiB.',
    },
  },
};

export const HTTP_OUTPUT_SCHEMA: JsonObject = {
  type: 'object',
  required: ['status', 'headers', 'body'],
  properties: {
    status: { type: 'integer' },
    headers: {
      type: 'object',
      description:
        'Response headers, with names in lower case. The values of a repeated header are joined by commas; `set-cookie` is a list.',
      additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
    },
    body: {
      description:
        'Response body: the parsed value for JSON, a string for text, or {"base64": "..."} for other content. Null if the response has no body.',
    },
  },
};
