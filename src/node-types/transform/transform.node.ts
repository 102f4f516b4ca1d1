import { createRequire } from 'node:module';
import { Inject } from '@nestjs/common';
import type jsonata from 'jsonata';
import type { Fault, Json } from '../../expressions/index.js';
import type { NodeContext, NodeResult, NodeType as NodeTypeContract } from '../../node-contract/index.js';
import { NodeType } from '../../nodes/index.js';
import { sandboxOutcome } from '../sandbox/sandbox-outcome.js';
import { SandboxPool, type SandboxPoolSettings } from '../sandbox/sandbox-pool.js';
import { sandboxSettings } from '../sandbox/sandbox-settings.js';

/** Injection token: the pool of sandboxed processes for transform nodes. */
export const TRANSFORM_POOL = Symbol('TRANSFORM_POOL');

/** Default timeout of transform nodes, in milliseconds. */
const DEFAULT_LIMIT_MS = 5_000;

/**
 * Maximum length of the expression of a transform node, in characters. The expression is parsed each time a workflow is
 * saved.
 */
const MAX_EXPRESSION = 16 * 1024;

/**
 * Maximum number of the JSONata operators for parent, focus and index. For each of these operators, the parser scans
 * all preceding text again.
 */
const MAX_BACKWARD_OPERATORS = 256;

type TransformParameters = { readonly input?: Json; readonly expression: string };

const require = createRequire(import.meta.url);

/**
 * Returns the JSONata parser, which is loaded at the first call. A process that checks no expressions saves the memory
 * for the parser.
 */
const parser = (): typeof jsonata => require('jsonata') as typeof jsonata;

export function transformPool(own: Partial<SandboxPoolSettings> = {}): SandboxPool {
  const residentBytes = 256 * 1024 * 1024;
  return new SandboxPool(
    sandboxSettings('transform.program', import.meta.url, 'jsonata', { residentBytes, ...own }),
  );
}

/**
 * Evaluates a JSONata expression in a separate process. If expressions ran on a thread, a full V8 heap would end the
 * service.
 */
@NodeType({
  type: 'transform',
  version: 1,
  title: 'Transform',
  description: 'Converts JSON with a JSONata expression.',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['expression'],
    properties: {
      input: { title: 'Input', description: 'Any JSON: the input of the expression, available as `$`.' },
      expression: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_EXPRESSION,
        'x-literal': true,
        title: 'Expression',
        description:
          'A JSONata expression. `{{ }}` expressions inside it are not evaluated; pass outputs of other nodes through `input`.',
      },
    },
  },
  outputSchema: { description: 'The result of the expression. `undefined` becomes null.' },
  capabilities: { pure: true, cacheable: true },
})
export class TransformNode implements NodeTypeContract {
  constructor(@Inject(TRANSFORM_POOL) private readonly pool: SandboxPool) {}

  check({ expression }: Readonly<Record<string, unknown>>): readonly Fault[] {
    if (typeof expression !== 'string') return [];
    if ((expression.match(/[%@#]/g)?.length ?? 0) > MAX_BACKWARD_OPERATORS) {
      const message = `Contains more than ${MAX_BACKWARD_OPERATORS} of the characters %, @ and #.`;
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
}
