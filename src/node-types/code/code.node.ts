import { Inject } from '@nestjs/common';
import type { Fault, Json } from '../../expressions/index.js';
import type { NodeContext, NodeResult, NodeType as NodeTypeContract } from '../../node-contract/index.js';
import { NodeType } from '../../nodes/index.js';
import { sandboxOutcome } from '../sandbox/sandbox-outcome.js';
import { SandboxPool, type SandboxPoolSettings } from '../sandbox/sandbox-pool.js';
import { sandboxSettings } from '../sandbox/sandbox-settings.js';
import { codeSyntaxFault } from './code-syntax.js';

/** Injection token: the pool of sandboxed processes for code nodes. */
export const CODE_POOL = Symbol('CODE_POOL');

/** Default timeout of code nodes, in milliseconds. */
const DEFAULT_LIMIT_MS = 10_000;

/** Maximum length of the source of a code node, in characters. The source is parsed each time a workflow is saved. */
const MAX_SOURCE = 64 * 1024;

type CodeParameters = { readonly source: string; readonly input?: Json };

export function codePool(own: Partial<SandboxPoolSettings> = {}): SandboxPool {
  return new SandboxPool(
    sandboxSettings('code.program', import.meta.url, 'quickjs-emscripten', {
      // The memory limit of a process exceeds the memory of one interpreter, because the memory of earlier interpreters
      // may not be garbage-collected yet.
      residentBytes: 384 * 1024 * 1024,
      ...own,
      // The native stack is larger than the stack limit of QuickJS, so that QuickJS detects most overflows
      // itself.
      flags: ['--stack-size=3000'],
    }),
  );
}

/** Runs JavaScript in a sandboxed process. Each job gets a new QuickJS interpreter. */
@NodeType({
  type: 'code',
  version: 1,
  title: 'Code',
  description:
    'Runs JavaScript that computes an output from an input. The code has no access to the network, files or the service.',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['source'],
    properties: {
      source: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_SOURCE,
        'x-literal': true,
        contentMediaType: 'text/javascript',
        title: 'Source',
        description:
          'Body of an async function with the parameter `input`. `{{ }}` expressions in the code are not evaluated; pass outputs of other nodes through `input`.',
      },
      input: { title: 'Input', description: 'Any JSON.' },
    },
  },
  outputSchema: { description: 'The return value of the function, as JSON. `undefined` becomes null.' },
  capabilities: { pure: true, cacheable: true },
})
export class CodeNode implements NodeTypeContract {
  constructor(@Inject(CODE_POOL) private readonly pool: SandboxPool) {}

  check({ source }: Readonly<Record<string, unknown>>): readonly Fault[] {
    const fault = typeof source === 'string' ? codeSyntaxFault(source) : null;
    if (fault === null) return [];
    const where = fault.line === null ? '' : ` In line ${fault.line}.`;
    return [{ path: 'source', code: 'code_syntax', message: `Is not JavaScript: ${fault.message}.${where}` }];
  }

  /**
   * @throws NodeFailure `code_error`, `code_invalid_output`, `code_never_resolved`, `code_timeout`,
   * `code_memory_exceeded` or `code_process_died`.
   */
  async run({
    with: { source, input = null },
    projectId,
    signal,
    timeoutMs,
  }: NodeContext<CodeParameters>): Promise<NodeResult> {
    const job = { program: source, input: JSON.stringify(input), limitMs: timeoutMs ?? DEFAULT_LIMIT_MS };
    return sandboxOutcome('code', await this.pool.run(projectId, job, signal));
  }
}
