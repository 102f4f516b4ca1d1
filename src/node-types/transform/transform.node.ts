import { createRequire } from 'node:module';
import { Inject, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type jsonata from 'jsonata';
import type { Fault, Json } from '../../expressions/index.js';
import type { NodeContext, NodeResult, NodeType as NodeTypeContract } from '../../node-contract/index.js';
import { NodeType } from '../../nodes/index.js';
import { sandboxOutcome } from '../sandbox/sandbox-outcome.js';
import { SandboxPool, type SandboxPoolSettings } from '../sandbox/sandbox-pool.js';
import { sandboxSettings } from '../sandbox/sandbox-settings.js';

/** Injection token: the processes that expressions are evaluated in. */
export const TRANSFORM_POOL = Symbol('TRANSFORM_POOL');

/** Time for an expression whose node names none, in milliseconds. */
const DEFAULT_LIMIT_MS = 5_000;

/** Longest expression, in characters: it is parsed at every save. */
const MAX_EXPRESSION = 16 * 1024;

/**
 * Most operators of a parent, a focus or an index. The parser looks at all that came before for each of them, and
 * 4,000 would hold the service up for a third of a second.
 */
const MAX_BACKWARD_OPERATORS = 256;

type TransformParameters = { readonly input?: Json; readonly expression: string };

const require = createRequire(import.meta.url);

/** Loaded by the first expression that is saved: a service without one is spared its memory. */
const parser = (): typeof jsonata => require('jsonata') as typeof jsonata;

/** A pool of processes that evaluate JSONata. */
export function transformPool(own: Partial<SandboxPoolSettings> = {}): SandboxPool {
  const residentBytes = 256 * 1024 * 1024;
  return new SandboxPool(
    sandboxSettings('transform.program', import.meta.url, 'jsonata', { residentBytes, ...own }),
  );
}

/**
 * Evaluates a JSONata expression. In a process and not in a thread: a heap that V8 cannot grow ends the whole
 * process, and one line such as `$pad("x", 400000000)` is enough for that.
 */
@NodeType({
  type: 'transform',
  version: 1,
  title: 'Transform',
  description: 'Makes one JSON of another with a JSONata expression.',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['expression'],
    properties: {
      input: { title: 'Input', description: 'Any JSON: what the expression is evaluated on, `$` in it.' },
      expression: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_EXPRESSION,
        'x-literal': true,
        title: 'Expression',
        description: 'JSONata, taken as it is written: what it needs of other nodes comes by the input.',
      },
    },
  },
  outputSchema: { description: 'The result; nothing becomes null.' },
  capabilities: { pure: true, cacheable: true },
})
export class TransformNode implements NodeTypeContract, OnModuleDestroy, OnApplicationShutdown {
  constructor(@Inject(TRANSFORM_POOL) private readonly pool: SandboxPool) {}

  check({ expression }: Readonly<Record<string, unknown>>): readonly Fault[] {
    if (typeof expression !== 'string') return [];
    if ((expression.match(/[%@#]/g)?.length ?? 0) > MAX_BACKWARD_OPERATORS) {
      const message = `Has more than ${MAX_BACKWARD_OPERATORS} of the characters %, @ and #.`;
      return [{ path: 'expression', code: 'transform_too_complex', message }];
    }
    try {
      parser()(expression);
      return [];
    } catch (error) {
      const { message, position } = error as Partial<jsonata.JsonataError>;
      const where = position === undefined ? '' : ` At character ${position}.`;
      return [
        {
          path: 'expression',
          code: 'transform_syntax',
          message: `Is not JSONata: ${message ?? 'it cannot be read'}.${where}`,
        },
      ];
    }
  }

  /**
   * @throws NodeFailure `transform_error`, `transform_invalid_output`, `transform_timeout`,
   * `transform_memory_exceeded` or `transform_process_died`.
   */
  async run({
    with: { input = null, expression },
    projectId,
    signal,
    timeoutMs,
  }: NodeContext<TransformParameters>): Promise<NodeResult> {
    const job = {
      program: expression,
      input: JSON.stringify(input),
      limitMs: timeoutMs ?? DEFAULT_LIMIT_MS,
    };
    return sandboxOutcome('transform', await this.pool.run(projectId, job, signal));
  }

  onModuleDestroy(): void {
    this.pool.leave();
  }

  /** Not when modules are destroyed, which comes first: runs have had their grace by now. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}
