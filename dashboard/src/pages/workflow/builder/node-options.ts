import { type Parameter, parametersOf } from './parameter-text.ts';

const fixed = (schema: object) => ({ ...schema, 'x-literal': true });

/** What every node can have beside its parameters, as a schema: the form of parameters edits it, too. */
export const NODE_OPTIONS: readonly Parameter[] = parametersOf({
  properties: {
    retry: fixed({
      title: 'Retries',
      type: 'object',
      required: ['max_attempts'],
      properties: {
        max_attempts: fixed({
          title: 'Attempts',
          type: 'integer',
          description: '1 to 10, the first one included.',
        }),
        backoff: fixed({ title: 'Backoff', enum: ['fixed', 'exponential'], default: 'exponential' }),
        initial_delay_ms: fixed({ title: 'First delay', type: 'integer', description: 'Milliseconds.' }),
        max_delay_ms: fixed({ title: 'Longest delay', type: 'integer', description: 'Milliseconds.' }),
        jitter: fixed({ title: 'Vary the delays at random', type: 'boolean', default: true }),
      },
    }),
    timeout_seconds: fixed({ title: 'Timeout', type: 'number', description: 'Seconds for one attempt.' }),
    on_error: fixed({
      title: 'If the node fails',
      enum: ['fail', 'continue'],
      default: 'fail',
      description: 'Fail ends the execution. Continue runs the nodes after it.',
    }),
    cache: fixed({
      title: 'Cache',
      type: 'object',
      properties: {
        ttl_seconds: fixed({
          title: 'Lifetime',
          type: 'integer',
          description: 'Seconds. An equal earlier result is reused for that long.',
        }),
      },
    }),
  },
});
