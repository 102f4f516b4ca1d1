import type { JsonObject } from '../../expressions/index.js';
import { LIMITS } from '../../engine/index.js';

/** Marks a schema as literal: its values are validated at save and cannot be expressions. */
const fixed = (schema: JsonObject): JsonObject => ({ ...schema, 'x-literal': true });

const RETRY = fixed({
  type: 'object',
  additionalProperties: false,
  required: ['max_attempts'],
  properties: {
    max_attempts: fixed({ type: 'integer', minimum: 1, maximum: 10 }),
    backoff: fixed({ enum: ['fixed', 'exponential'] }),
    initial_delay_ms: fixed({ type: 'integer', minimum: 0, maximum: 3_600_000 }),
    max_delay_ms: fixed({ type: 'integer', minimum: 0, maximum: 3_600_000 }),
    jitter: fixed({ type: 'boolean' }),
  },
});

const NODE = fixed({
  type: 'object',
  additionalProperties: false,
  required: ['id', 'type'],
  properties: {
    id: fixed({ type: 'string', description: 'An id that no other node of the workflow has.' }),
    type: fixed({ type: 'string', description: 'A node type that does not iterate itself.' }),
    name: fixed({ type: 'string', maxLength: 255 }),
    needs: fixed({ type: 'array', maxItems: LIMITS.nodes, items: fixed({ type: 'string' }) }),
    if: fixed({ type: 'string', description: 'CEL condition, without braces.' }),
    with: fixed({ type: 'object', description: 'Expressions in it also see `item` and `index`.' }),
    retry: RETRY,
    timeout_seconds: fixed({ type: 'integer', minimum: 1, maximum: 3600 }),
    on_error: fixed({ enum: ['fail', 'continue'] }),
    cache: fixed({
      type: 'object',
      additionalProperties: false,
      required: ['ttl_seconds'],
      properties: { ttl_seconds: fixed({ type: 'integer', minimum: 1, maximum: 31_536_000 }) },
    }),
  },
});

export const FOREACH_SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['items', 'nodes'],
  properties: {
    items: {
      title: 'Items',
      type: 'array',
      maxItems: LIMITS.items,
      description: `The list, as an expression or written out: ${LIMITS.items} elements at most. It is recorded, so secrets are not for it.`,
    },
    nodes: fixed({
      title: 'Nodes',
      type: 'array',
      minItems: 1,
      maxItems: LIMITS.nodes,
      items: NODE,
      description:
        'What is done for each item: nodes as those of a workflow. Their expressions also see `item` and `index` (from 0), nodes of the same item by `nodes.<id>`, and the nodes outside.',
    }),
    output: {
      title: 'Output of an item',
      description:
        'What each item gives; it may use `item`, `index` and `nodes`. Default: the output of the last node.',
    },
    max_concurrency: {
      title: 'Items at once',
      type: 'integer',
      minimum: 1,
      maximum: LIMITS.itemsAtOnce,
      default: 10,
      description: "Items under way at once. The workflow's own `config.max_concurrency` limits it further.",
    },
    on_error: fixed({
      title: 'If an item fails',
      enum: ['fail', 'continue'],
      default: 'fail',
      description:
        '`fail` ends the node with the first item that fails and stops the others. `continue` puts `{"error": {...}}` instead of its output.',
    }),
  },
  examples: [
    {
      items: '{{ input.orders }}',
      nodes: [
        {
          id: 'charge',
          type: 'http',
          with: { method: 'POST', url: 'https://shop.example/charge/{{ item.id }}' },
        },
        {
          id: 'note',
          type: 'set',
          with: { value: 'Order {{ index + 1 }}: {{ nodes.charge.output.status }}' },
        },
      ],
      output: '{{ nodes.note.output }}',
      max_concurrency: 5,
      on_error: 'continue',
    },
  ],
};
