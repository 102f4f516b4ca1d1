import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { NodeTypeRegistry } from '../../src/nodes/index.js';
import { CODE_POOL } from '../../src/node-types/code/code.node.js';
import type { SandboxPool } from '../../src/node-types/sandbox/sandbox-pool.js';
import { TRANSFORM_POOL } from '../../src/node-types/transform/transform.node.js';
import { ExecutionCalls, type NodeView } from '../support/execution-views.js';
import { TestService } from '../support/service.js';

const code = (id: string, source: string, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'code',
  with: { source, input: '{{ input }}' },
  ...more,
});
const transform = (id: string, expression: string, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'transform',
  with: { expression, input: '{{ input }}' },
  ...more,
});

describe('code and transform nodes', () => {
  let service: TestService;
  let calls: ExecutionCalls;
  beforeAll(async () => {
    service = await TestService.start();
    calls = new ExecutionCalls(service);
  });
  afterAll(() => service?.stop());

  const pool = (token: symbol): SandboxPool => service.app.get<SandboxPool>(token, { strict: false });

  it('a code node can use the output of an earlier node as its input', async () => {
    const { status, output } = await calls.run(
      [
        transform('pick', '{"names": items.name, "{{": $count(items)}'),
        {
          id: 'shout',
          type: 'code',
          with: {
            source: 'return input.names.map((n) => `${n.toUpperCase()}{{}}`)',
            input: '{{ nodes.pick.output }}',
          },
        },
      ],
      { items: [{ name: 'ada' }, { name: 'bob' }] },
      { output: { count: '{{ nodes.pick.output["{{"] }}', shout: '{{ nodes.shout.output }}' } },
    );
    expect({ status, output }).toEqual({
      status: 'completed',
      output: { count: 2, shout: ['ADA{{}}', 'BOB{{}}'] },
    });
  });

  it('the event `workflow.node.complete` and the node list of an execution contain the console output of a code node', async () => {
    const { id } = await calls.run(
      [code('talks', 'console.log("n is", input.n); return 1'), code('quiet', 'return 1')],
      { n: 3 },
    );
    const events = await calls.events(id);
    const logsOf = (node: string): unknown =>
      events.find(({ type, node_id }) => type === 'workflow.node.complete' && node_id === node)?.data['logs'];
    expect([logsOf('talks'), logsOf('quiet')]).toEqual([['n is 3'], undefined]);
    const nodes = (await calls.nodes(id)) as ReadonlyMap<
      string,
      NodeView & { readonly logs: readonly string[] }
    >;
    expect([nodes.get('talks')?.logs, nodes.get('quiet')?.logs]).toEqual([['n is 3'], []]);
  });

  it('if the program of a node throws, loops endlessly or uses too much memory, only this node fails', async () => {
    const { status, output } = await calls.run([
      code('throws', 'console.log("near"); throw new Error("mine")', { on_error: 'continue' }),
      code('loops', 'for (;;);', { on_error: 'continue', timeout_seconds: 1 }),
      // It uses up its memory before its timeout even on a slow machine.
      transform('bomb', '$length($pad("x", 400000000))', { on_error: 'continue', timeout_seconds: 60 }),
      code('deep', 'let a = 1; for (let i = 0; i < 4_500; i += 1) a = [a]; return a', {
        on_error: 'continue',
      }),
      { id: 'set', type: 'set', with: { value: 'fine' } },
      {
        id: 'all',
        type: 'set',
        with: {
          value:
            '{{ [nodes.throws.error, nodes.loops.error.code, nodes.bomb.error.code, nodes.deep.error.code, nodes.set.output] }}',
        },
      },
    ]);
    expect([status, output]).toEqual([
      'completed',
      [
        { code: 'code_error', message: 'Error: mine', details: { line: 1, logs: ['near'] } },
        'node_timeout',
        'transform_memory_exceeded',
        'output_too_deep',
        'fine',
      ],
    ]);
  });

  it('a code node whose program throws is retried up to `max_attempts`', async () => {
    const { id, status } = await calls.run([
      code('throws', 'throw new Error("again")', {
        retry: { max_attempts: 3, backoff: 'fixed', initial_delay_ms: 1 },
      }),
    ]);
    expect(status).toBe('failed');
    const { attempts } = (await calls.nodes(id)).get('throws') as NodeView & {
      readonly attempts: readonly { readonly error: { readonly code: string } | null }[];
    };
    expect(attempts.map(({ error }) => error?.code)).toEqual(['code_error', 'code_error', 'code_error']);
  });

  it('the service rejects a workflow with syntax errors in its programs, and names the field of each program', async () => {
    const { status, error } = await service.post('/v1/workflows', {
      name: 'test',
      nodes: [{ id: 'ok', type: 'set', with: { value: 1 } }, code('a', 'return ('), transform('b', 'items[')],
    });
    expect(status).toBe(400);
    expect(error).toMatchObject({ type: 'validation_error', details: { field: 'nodes[1].with.source' } });
    const faults = error.details?.['errors'] as readonly { field: string; code: string }[] | undefined;
    expect(faults?.map(({ field, code: word }) => `${field} ${word}`)).toEqual([
      'nodes[1].with.source code_syntax',
      'nodes[2].with.expression transform_syntax',
    ]);
  });

  it('an execution whose code node loops forever can be cancelled, and does not block other executions', async () => {
    const looping = await calls.workflow([code('loops', 'for (;;);', { timeout_seconds: 60 })]);
    const { id } = await calls.start(looping);
    await calls.until(id, ({ status }) => status === 'running');
    expect((await calls.run([code('a', 'return 1')])).output).toBe(1);
    expect((await service.post(`/v1/executions/${id}/cancel`)).status).toBeLessThan(300);
    expect((await calls.ended(id)).status).toBe('cancelled');
    expect((await calls.run([code('a', 'return 2')])).output).toBe(2);
  });

  it('the schema of code nodes marks the parameter `source` as literal text without `{{ }}` expressions', () => {
    const registry = service.app.get(NodeTypeRegistry, { strict: false });
    expect(registry.get('code')?.description.schema).toMatchObject({
      properties: { source: { 'x-literal': true } },
    });
  });

  it('no sandbox process of a service remains after the service has stopped', async () => {
    const own = await TestService.start();
    const ownCalls = new ExecutionCalls(own);
    await ownCalls.run([code('a', 'return 1'), transform('b', '1')]);
    const pids = [CODE_POOL, TRANSFORM_POOL].flatMap(
      (token) => own.app.get<SandboxPool>(token, { strict: false }).pids,
    );
    expect(pids.length).toBeGreaterThanOrEqual(2);
    await own.stop();
    expect(pids.filter((pid) => isAlive(pid))).toEqual([]);
    expect(pool(CODE_POOL).pids.length).toBeGreaterThan(0);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
