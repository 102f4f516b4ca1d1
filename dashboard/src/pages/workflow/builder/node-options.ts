import { texts } from '../../../texts/en/workflow-builder.ts';
import { type Parameter, parametersOf } from './parameter-text.ts';

const fixed = (schema: object) => ({ ...schema, 'x-literal': true });

/** Options that every node has in addition to the parameters of its type, such as retries. */
export const NODE_OPTIONS: readonly Parameter[] = parametersOf({
  properties: {
    retry: fixed({
      title: texts.retries,
      type: 'object',
      required: ['max_attempts'],
      properties: {
        max_attempts: fixed({
          title: texts.attempts,
          type: 'integer',
          description: texts.attemptsHint,
        }),
        backoff: fixed({ title: texts.backoff, enum: ['fixed', 'exponential'], default: 'exponential' }),
        initial_delay_ms: fixed({
          title: texts.firstDelay,
          type: 'integer',
          description: texts.milliseconds,
        }),
        max_delay_ms: fixed({ title: texts.maxDelay, type: 'integer', description: texts.milliseconds }),
        jitter: fixed({ title: texts.jitter, type: 'boolean', default: true }),
      },
    }),
    timeout_seconds: fixed({ title: texts.timeout, type: 'number', description: texts.timeoutHint }),
    on_error: fixed({
      title: texts.ifNodeFails,
      enum: ['fail', 'continue'],
      default: 'fail',
      description: texts.onErrorHint,
    }),
    cache: fixed({
      title: texts.cache,
      type: 'object',
      properties: {
        ttl_seconds: fixed({
          title: texts.lifetime,
          type: 'integer',
          description: texts.lifetimeHint,
        }),
      },
    }),
  },
});
