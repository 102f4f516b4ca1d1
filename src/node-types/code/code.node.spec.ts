import { afterAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../expressions/index.js';
import { NodeFailure, type NodeResult } from '../../node-contract/index.js';
import { nodeContext, NodeTypeMetadata, NodeTypeRegistry } from '../../nodes/index.js';
import { CodeNode, codePool } from './code.node.js';

const pool = codePool();
const node = new CodeNode(pool);
afterAll(() => pool.onApplicationShutdown());

const run = (source: string, input: Json = null, timeoutMs: number | null = null): Promise<NodeResult> =>
  node.run(nodeContext({ source, input }, { timeoutMs }));

async function outputOf(source: string, input?: Json): Promise<Json> {
  const result = await run(source, input);
  return result.kind === 'output' ? result.output : null;
}

async function failureOf(source: string, timeoutMs: number | null = null): Promise<NodeFailure> {
  const failure: unknown = await run(source, null, timeoutMs).catch((error: unknown) => error);
  if (!(failure instanceof NodeFailure)) throw new Error(`It did not fail: ${JSON.stringify(failure)}`);
  return failure;
}

describe('the code node', () => {
  it.each<[string, Json, Json]>([
    ['return input.a + input.b', { a: 1, b: 2 }, 3],
    ['const x = await Promise.resolve(input); return x.map((n) => n * 2)', [1, 2], [2, 4]],
    ['', null, null],
    ['return undefined', null, null],
    ['return 1 // the end', null, 1],
    ['return { then(done) { done(7) } }', null, 7],
    ['return [NaN, undefined, new Date(0)]', null, [null, null, '1970-01-01T00:00:00.000Z']],
    ['return "{{ not an expression }}"', null, '{{ not an expression }}'],
    ['return "\\u2028\\n\\ud83d\\ude00"', null, '\u2028\n😀'],
    [
      'return input',
      JSON.parse('{"__proto__":{"x":1},"constructor":2}') as Json,
      JSON.parse('{"__proto__":{"x":1},"constructor":2}') as Json,
    ],
  ])('the output of the code %j with the input %j is %j', async (source, input, expected) => {
    expect(await outputOf(source, input)).toEqual(expected);
  });

  it('the code node returns console output as logs', async () => {
    const source =
      'console.log("a", { b: 1 }, 2n); console.warn(new TypeError("no")); console.error(Symbol("s")); return 1';
    expect(await run(source)).toEqual({
      kind: 'output',
      output: 1,
      logs: ['a {"b":1} 2', 'warning: TypeError: no', 'error: Symbol(s)'],
    });
  });

  it('the code node truncates logs at 99 lines or 8 KiB', async () => {
    const many = await run('for (let i = 0; i < 1e5; i++) console.log(i)');
    expect(many).toMatchObject({
      logs: { length: 100, 0: '0', 98: '98', 99: '(Further lines are omitted.)' },
    });
    const long = await run('console.log("x".repeat(1e6)); console.log("y")');
    expect(long).toMatchObject({ logs: ['x'.repeat(8192), '(Further lines are omitted.)'] });
  });

  it('the code node reports the line of a thrown error, and the log lines before the error', async () => {
    const { code, message, options } = await failureOf('console.log("here")\n\nnull.name');
    expect([code, message]).toEqual(['code_error', expect.stringContaining('TypeError: ')]);
    expect(options).toEqual({ retryable: true, details: { line: 3, logs: ['here'] } });
  });

  it.each([
    ['throw null', 'Thrown: null'],
    ['throw undefined', 'Thrown: undefined'],
    ['throw Symbol("x")', 'Thrown: Symbol(x)'],
    ['throw { code: 1 }', 'Thrown: {"code":1}'],
    ['throw { get message() { throw 1 }, toJSON() { throw 2 } }', 'Thrown: (a value that cannot be shown)'],
    [
      'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })',
      'Thrown: (a value that cannot be shown)',
    ],
    [
      'const e = new Error(); Object.defineProperty(e, "message", { get() { throw e } }); throw e',
      '(a value that cannot be shown)',
    ],
    ['await Promise.reject(new RangeError("late"))', 'RangeError: late'],
    ['throw new Error("x".repeat(1e6))', `Error: ${'x'.repeat(1993)}`],
  ])('the code node reports the value that the code %j throws', async (source, message) => {
    expect(await failureOf(source)).toMatchObject({ code: 'code_error', message });
  });

  it.each([
    ['return () => 1', 'it is a function'],
    ['return Symbol("x")', 'it is a symbol'],
    ['return 5n', 'TypeError'],
    ['const a = {}; a.a = a; return a', 'circular'],
    ['return { toJSON() { throw new Error("mine") } }', 'Error: mine'],
    ['return "x".repeat(5e6)', '5000002 characters of JSON. The maximum is 4194304'],
    ['let a = []; for (let i = 0; i < 3e4; i++) a = [a]; return a', ''],
  ])('the code node rejects the result of the code %j', async (source, reason) => {
    const { code, message } = await failureOf(source);
    // A deeply nested result may overflow the interpreter's stack before the check of its depth, so two error codes are
    // possible.
    expect(code).toMatch(reason === '' ? /^code_(invalid_output|error)$/ : /^code_invalid_output$/);
    expect(message).toContain(reason);
  });

  it.each([
    'for (;;);',
    'for (;;) await null',
    'const again = () => Promise.resolve().then(again); await again()',
    'try { for (;;); } finally { return 1 }',
    'for (;;) { try { for (;;); } catch {} finally { continue } }',
    'return /^(a+)+$/.test("a".repeat(40) + "b")',
    'return { then() { for (;;); } }',
    'return { toJSON() { for (;;); } }',
    'throw { toJSON() { for (;;); } }',
    // The interpreter does not check its deadline during this single call of `join`, so an outer timeout must end the
    // job.
    'return Array(1e9).join("x").length',
  ])('the code node stops the code %j at its timeout', async (source) => {
    const failure = await failureOf(source, 300);
    expect(failure).toMatchObject({ code: 'code_timeout', options: { retryable: true } });
    expect(failure.message).toContain('0.3 seconds');
  });

  it('the code node fails with `code_never_resolved` for a promise that never settles', async () => {
    expect(await failureOf('await new Promise(() => {})')).toMatchObject({ code: 'code_never_resolved' });
  });

  it.each([
    'let s = "abcdefgh"; for (;;) s += s',
    'const a = []; for (;;) a.push(new Array(1e4).fill(1))',
    'const a = []; for (;;) a.push(new Uint8Array(1e6))',
    'return "".padEnd(2 ** 30 - 10, "abc").length',
    'return "a".repeat(2e7).split("").length',
    'return /(?:(a)|b)*/.exec("ab".repeat(5e6)).length',
  ])('the code node fails with `code_memory_exceeded` for the code %j', async (source) => {
    expect(await failureOf(source)).toMatchObject({ code: 'code_memory_exceeded' });
  });

  it.each([
    'const f = () => f() + 1; return f()',
    'return eval("(".repeat(1e5))',
    'return JSON.parse("[".repeat(1e6))',
  ])('the code node fails with `code_error` if the code %j recurses too deeply', async (source) => {
    expect(await failureOf(source)).toMatchObject({ code: 'code_error' });
    expect(await outputOf('return 1')).toBe(1);
  });

  it('code cannot access the globals of Node.js and browsers', async () => {
    const names = [
      'process',
      'require',
      'module',
      'fetch',
      'WebAssembly',
      'Atomics',
      'setTimeout',
      'queueMicrotask',
      'Buffer',
      'globalThis.std',
      'globalThis.os',
    ];
    expect(await outputOf(`return [${names.map((name) => `typeof ${name}`).join(', ')}]`)).toEqual(
      names.map(() => 'undefined'),
    );
  });

  it.each([
    'return constructor.constructor("return process")()',
    'return (async () => {}).constructor("return process.env")()',
    'return console.log.constructor("return process")()',
    'return (await import("node:fs")).readFileSync("/etc/passwd")',
    'return require("child_process")',
  ])('the code %j cannot escape the sandbox', async (source) => {
    expect(await failureOf(source)).toMatchObject({
      code: 'code_error',
      message: expect.stringMatching(/not defined|could not load/),
    });
  });

  it('code is isolated from changes that earlier code made to globals', async () => {
    const spoil =
      'globalThis.left = 1; Object.prototype.left = 2; JSON.stringify = () => "3"; JSON.parse = () => 4; Promise.prototype.then = null; String.prototype.slice = null; console.log = null; Array.prototype.toJSON = () => 5; return [6]';
    const check =
      'console.log("ok"); return [globalThis.left, {}.left, JSON.stringify([input]), await Promise.resolve(7), [8]]';
    for (let round = 0; round < 4; round += 1) {
      expect(await outputOf(spoil)).toEqual(5);
      expect(await run(check, 9)).toEqual({
        kind: 'output',
        output: [null, null, '[9]', 7, [8]],
        logs: ['ok'],
      });
    }
  });

  const registry = new NodeTypeRegistry();
  registry.register(Reflect.getMetadata(NodeTypeMetadata.KEY, CodeNode), node);
  const save = (parameters: JsonObject) =>
    registry
      .find('code')!
      .checkDefinition(parameters, 'nodes[2].with')
      .map(({ path, code, message }) => `${path} ${code} ${message}`);

  it.each<[JsonObject, string]>([
    [{}, 'nodes[2].with.source required'],
    [{ source: 1 }, 'nodes[2].with.source type'],
    [{ source: '' }, 'nodes[2].with.source length'],
    [{ source: `"{{${'x'.repeat(65536)}"` }, 'nodes[2].with.source length'],
    [{ source: 'return 1', code: 1 }, 'nodes[2].with.code unknown_field'],
    [
      { source: 'return 1\nlet a = ;' },
      "nodes[2].with.source code_syntax Is not JavaScript: Unexpected token ';'. In line 2.",
    ],
    [{ source: '}); globalThis.x = 1; (async function () {' }, 'nodes[2].with.source code_syntax'],
    [{ source: '*/ return 1 /*' }, 'nodes[2].with.source code_syntax'],
    [{ source: '('.repeat(60_000) }, 'nodes[2].with.source code_syntax'],
  ])('the code node rejects the parameters %j when a workflow is saved', (parameters, fault) => {
    expect(save(parameters)).toEqual([expect.stringContaining(fault)]);
  });

  it.each(['return {{a: 1}}.a', 'return 1', 'const f = {a:{b:1}}; return f', 'await 1; return `${input}`'])(
    'the code node checks the syntax of the code %j when a workflow is saved',
    (source) => {
      expect(save({ source, input: '{{ input }}' }).length).toBe(source.includes('{{a') ? 1 : 0);
    },
  );
});
