import type { JsonObject } from '../../expressions/index.js';

const scalar: JsonObject = { type: ['string', 'number', 'boolean', 'null'] };

/** JSON Schema of the `http` type's `with`. */
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
      description: 'http or https, without user name and password.',
    },
    headers: {
      type: 'object',
      propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" },
      additionalProperties: scalar,
      title: 'Headers',
      description:
        'Host and headers of framing cannot be set. POST, PUT, PATCH and DELETE carry an Idempotency-Key unless one is given here.',
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
      description: 'Appended to the query of the URL; a list is repeated, null left out.',
    },
    body: {
      title: 'Body',
      description: 'A string is sent as it is, anything else as JSON; null is no body.',
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
      description: 'Any other fails the node. A redirect that is named here is not followed.',
    },
    max_response_bytes: {
      type: 'integer',
      minimum: 1,
      maximum: 10_485_760,
      default: 1_048_576,
      title: 'Largest response',
      description: 'Bytes of the body, after decompression.',
    },
  },
};

/** JSON Schema of the `http` type's output. */
export const HTTP_OUTPUT_SCHEMA: JsonObject = {
  type: 'object',
  required: ['status', 'headers', 'body'],
  properties: {
    status: { type: 'integer' },
    headers: {
      type: 'object',
      description: 'Names in lower case; repeated ones joined by a comma, set-cookie as a list.',
      additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
    },
    body: {
      description:
        'JSON parsed, text as a string, anything else as {"base64": "..."}; null where there is none.',
    },
  },
};
