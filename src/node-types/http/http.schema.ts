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
        'Request headers. Host and framing headers cannot be set. POST, PUT, PATCH and DELETE send an Idempotency-Key header unless you set it here.',
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
        'Parameters that are added to the query of the URL. Lists are sent as repeated parameters; null values are omitted.',
    },
    body: {
      title: 'Body',
      description: 'A string is sent unchanged, other values as JSON. null sends no body.',
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
      description: 'Other statuses fail the node. Redirect statuses in this list are not followed.',
    },
    max_response_bytes: {
      type: 'integer',
      minimum: 1,
      maximum: 10_485_760,
      default: 1_048_576,
      title: 'Largest response',
      description: 'Maximum number of bytes of the body, after decompression.',
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
      description: 'Names in lower case. Repeated headers are joined by a comma; set-cookie is a list.',
      additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
    },
    body: {
      description:
        'Parsed JSON, a string for text, or {"base64": "..."} for other content; null if there is no body.',
    },
  },
};
