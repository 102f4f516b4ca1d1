import type { JsonObject } from '../../expressions/index.js';
import { LIMITS } from '../../engine/index.js';

/**
 * Marks a schema as literal, so that its values cannot be expressions. The values must be known when a workflow is
 * saved.
 */
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
    id: fixed({ type: 'string', description: 'Id of the node, unique in the whole workflow.' }),
    type: fixed({ type: 'string', description: 'Type of the node: any type except `foreach`.' }),
    name: fixed({ type: 'string', maxLength: 255 }),
    needs: fixed({ type: 'array', maxItems: LIMITS.nodes, items: fixed({ type: 'string' }) }),
    if: fixed({
      type: 'string',
      description: 'Condition in CEL, without `{{ }}`. The node runs only if the condition is true.',
    }),
    with: fixed({
      type: 'object',
      description: 'Parameters of the node. Expressions can also use `item` and `index`.',
    }),
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
      description: `The list, as an expression or a literal, with at most ${LIMITS.items} elements. The list is recorded, so it must not contain secrets.`,
    },
    nodes: fixed({
      title: 'Nodes',
      type: 'array',
      minItems: 1,
      maxItems: LIMITS.nodes,
      items: NODE,
      description:
        'The nodes to run for each item, in the same form as the nodes of a workflow. Expressions can read `item`, `index` (from 0), and results of nodes inside and outside the loop as `nodes.<id>`.',
    }),
    output: {
      title: 'Output of an item',
      description:
        'Output of one item. Expressions can use `item`, `index` and `nodes`. Default: the output of the node that no other node needs. If there are several such nodes, the default is an object with their outputs by node id.',
    },
    max_concurrency: {
      title: 'Maximum concurrent items',
      type: 'integer',
      minimum: 1,
      maximum: LIMITS.itemsAtOnce,
      default: 10,
      description:
        "Maximum number of items in progress. The workflow's `config.max_concurrency` also limits the number of running nodes.",
    },
    on_error: fixed({
      title: 'If an item fails',
      enum: ['fail', 'continue'],
      default: 'fail',
      description:
        '`fail`: if one item fails, the loop fails and stops the other items. `continue`: the loop continues, and the output of the failed item is `{"error": {...}}`.',
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
