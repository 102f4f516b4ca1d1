import type { JsonObject } from '../../src/expressions/index.js';

/** Ids of the nodes of the workflow that `mixedWorkflow` returns, one node per built-in type. */
export const MIXED_NODES = [
  'first',
  'call',
  'shaped',
  'coded',
  'nap',
  'gate',
  'each',
  'child',
  'kept',
  'broken',
] as const;

/** Number of items of the loop in the workflow that `mixedWorkflow` returns. */
export const ITEMS = 3;

/** Name of the signal that the `wait` node of `mixedWorkflow` waits for. */
export const SIGNAL = 'go';

/** Node settings with a long timeout, because calls are slow when several processes share few CPU cores. */
const PATIENT = { timeout_seconds: 300 };

export const CHILD_NODES = ['call', 'out'] as const;

/** The expected output of an execution of the child workflow with the input `n`. */
export function childOutput(n: number): string {
  return `${n}: true`;
}

/** The nodes of the child workflow: an `http` node, and a `set` node that uses its response. */
export function childWorkflow(url: string): readonly JsonObject[] {
  return [
    { id: 'call', type: 'http', ...PATIENT, with: { method: 'POST', url } },
    { id: 'out', type: 'set', with: { value: '{{ input.n }}: {{ nodes.call.output.body.ok }}' } },
  ];
}

/**
 * A workflow with ten nodes, one per built-in type. The nodes cover HTTP calls, sandboxed code, short and long delays,
 * a signal, a loop, a child execution, a session and a handled failure.
 * @param url URL that the `http` nodes call
 * @param childId id of the child workflow
 */
export function mixedWorkflow(url: string, childId: string): JsonObject {
  return {
    name: 'one of every type',
    config: { timeout_seconds: 3600 },
    output: {
      n: '{{ input.n }}',
      shaped: '{{ nodes.shaped.output }}',
      coded: '{{ nodes.coded.output }}',
      signal: '{{ nodes.gate.output.n }}',
      each: '{{ nodes.each.output }}',
      child: '{{ nodes.child.output }}',
      kept: '{{ nodes.kept.status }}',
      broken: '{{ nodes.broken.error.message }}',
    },
    nodes: [
      { id: 'first', type: 'set', with: { value: '{{ input.n + 1 }}' } },
      {
        id: 'call',
        type: 'http',
        ...PATIENT,
        with: { method: 'POST', url, body: { n: '{{ nodes.first.output }}' } },
      },
      {
        id: 'shaped',
        type: 'transform',
        needs: ['call'],
        ...PATIENT,
        with: { input: '{{ nodes.first.output }}', expression: '$ * 2' },
      },
      {
        id: 'coded',
        type: 'code',
        needs: ['call'],
        ...PATIENT,
        with: { input: '{{ nodes.first.output }}', source: 'return input * 3;' },
      },
      { id: 'nap', type: 'delay', needs: ['shaped', 'coded'], with: { seconds: '{{ input.nap }}' } },
      { id: 'gate', type: 'wait', needs: ['nap'], with: { signal: SIGNAL } },
      {
        id: 'each',
        type: 'foreach',
        needs: ['gate'],
        with: {
          items: Array.from({ length: ITEMS }, (_, n) => n),
          nodes: [
            { id: 'visit', type: 'http', ...PATIENT, with: { method: 'POST', url, body: '{{ item }}' } },
            { id: 'seen', type: 'set', needs: ['visit'], with: { value: '{{ item * 10 }}' } },
          ],
          output: '{{ nodes.seen.output }}',
        },
      },
      {
        id: 'child',
        type: 'workflow',
        needs: ['gate'],
        with: { workflow_id: childId, input: { n: '{{ input.n }}' } },
      },
      { id: 'kept', type: 'session', needs: ['gate'], with: { set: { last: '{{ input.n }}' } } },
      {
        id: 'broken',
        type: 'fail',
        needs: ['each', 'child', 'kept'],
        on_error: 'continue',
        with: { message: 'as it must' },
      },
    ],
  };
}

/** The expected output of an execution of `mixedWorkflow` with the input `n`, whatever failures the test injects. */
export function mixedOutput(n: number): JsonObject {
  return {
    n,
    shaped: (n + 1) * 2,
    coded: (n + 1) * 3,
    signal: n,
    each: Array.from({ length: ITEMS }, (_, item) => item * 10),
    child: childOutput(n),
    kept: 'completed',
    broken: 'as it must',
  };
}

/** Idempotency keys of all HTTP calls of an execution of `mixedWorkflow` and of its child execution. */
export function effectsOf(id: string, childId: string): readonly string[] {
  const visits = Array.from({ length: ITEMS }, (_, n) => `${id}:visit[${n}]`);
  return [`${id}:call`, ...visits, `${childId}:call`];
}
