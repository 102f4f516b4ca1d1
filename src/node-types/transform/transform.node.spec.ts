import { afterAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../expressions/index.js';
import { NodeFailure } from '../../node-contract/index.js';
import { nodeContext, NodeTypeMetadata, NodeTypeRegistry } from '../../nodes/index.js';
import { TransformNode, transformPool } from './transform.node.js';

const pool = transformPool();
const node = new TransformNode(pool);
afterAll(() => pool.onApplicationShutdown());

async function outputOf(expression: string, input: Json = null): Promise<Json> {
  const result = await node.run(nodeContext({ expression, input }));
  return result.kind === 'output' ? result.output : null;
}

async function failureOf(expression: string, timeoutMs: number | null = null): Promise<NodeFailure> {
  const failure: unknown = await node
    .run(nodeContext({ expression }, { timeoutMs }))
    .catch((error: unknown) => error);
  if (!(failure instanceof NodeFailure)) throw new Error(`It did not fail: ${JSON.stringify(failure)}`);
  return failure;
}

describe('the transform node', () => {
  it.each<[string, Json, Json]>([
    ['$', { a: [1] }, { a: [1] }],
    ['$', [1, 2], [1, 2]],
    [
      '$sum(items.(price * n))',
      {
        items: [
          { price: 2, n: 3 },
          { price: 1, n: 4 },
        ],
      },
      10,
    ],
    ['[1..3].($*2)', null, [2, 4, 6]],
    ['items[n > 5]', { items: [{ n: 1 }] }, null],
    ['{"{{": "}}"}', null, { '{{': '}}' }],
    [
      '$base64encode("h\u00e4llo?>") & $base64encode("ab") & $base64encode("a")',
      null,
      'aORsbG8/Pg==YWI=YQ==',
    ],
    ['$base64decode("aGVsbG8=")', null, 'hello'],
    ['$toMillis("2020-01-01T00:00:00Z") & $formatNumber(1234.5, "#,##0.00")', null, '15778368000001,234.50'],
    [
      '{"toString": 1, "constructor": 2, "__proto__": {"x": 3}}',
      null,
      JSON.parse('{"toString":1,"constructor":2,"__proto__":{"x":3}}') as Json,
    ],
    ['($f := function($n) { $n = 0 ? 0 : 1 + $f($n - 1) }; $f(150))', null, 150],
  ])('the transform node evaluates the JSONata expression %j', async (expression, input, expected) => {
    expect(await outputOf(expression, input)).toEqual(expected);
  });

  it.each([
    ['$sum'],
    ['function($x) { $x }'],
    ['{"a": [1, {"b": function($x) { $x }}]}'],
    ['/a/'],
    ['[1, $uppercase]'],
  ])(
    'the transform node fails if the result of the expression %j is or contains a function',
    async (expression) => {
      expect(await failureOf(expression)).toMatchObject({
        code: 'transform_invalid_output',
        message: expect.stringContaining('a function'),
      });
    },
  );

  it('the transform node rejects a result that is not JSON or is too long', async () => {
    expect(await failureOf('[1/0]')).toMatchObject({
      code: 'transform_invalid_output',
      message: expect.stringContaining('not finite'),
    });
    expect(await failureOf('$pad("x", 5000000)')).toMatchObject({
      code: 'transform_invalid_output',
      message: expect.stringContaining('5000002 characters'),
    });
  });

  it('the transform node reports the position of an error in JSONata', async () => {
    const { code, message, options } = await failureOf('"a" + 1');
    expect([code, message]).toEqual([
      'transform_error',
      'The left side of the "+" operator must evaluate to a number',
    ]);
    expect(options).toEqual({ retryable: true, details: { code: 'T2001', position: 5 } });
    expect(await failureOf('$error("mine")')).toMatchObject({ code: 'transform_error', message: 'mine' });
    expect(await failureOf('($f := function($n) { 1 + $f($n + 1) }; $f(1))')).toMatchObject({
      options: { details: { code: 'D1011' } },
    });
  });

  it.each(['($f := function($n) { $f($n + 1) }; $f(1))', '$match($pad("a", 40, "a") & "b", /^(a+)+$/)'])(
    'the transform node stops the JSONata expression %j at its timeout',
    async (expression) => {
      expect(await failureOf(expression, 300)).toMatchObject({
        code: 'transform_timeout',
        options: { retryable: true },
      });
    },
  );

  // When expressions still ran on a worker thread, these expressions crashed the whole process or exceeded its memory
  // limit.
  it.each([
    '$length($pad("x", 400000000))',
    '($a := [1..10000000]; $count($a))',
    '($f := function($x, $n) { $n = 0 ? $x : $f($append($x, $x), $n - 1) }; $count($f([1..8], 24)))',
    '$length($uppercase($pad("x", 200000000, "y")))',
    '($f := function($x, $n) { $n = 0 ? $x : $f($x & $x, $n - 1) }; $length($f("abcdefgh", 30)))',
  ])('the transform node fails with `transform_memory_exceeded` for %j', async (expression) => {
    expect(await failureOf(expression, 60_000)).toMatchObject({
      code: 'transform_memory_exceeded',
      options: { retryable: true },
    });
    expect(await outputOf('1')).toBe(1);
  });

  it.each([
    '{}.constructor',
    '$lookup({}, "constructor")',
    '$lookup({}, "__proto__")',
    '$sum.constructor',
    '$eval("$sum.constructor")',
    '$process',
    '$.process',
  ])('the JSONata expression %j cannot escape the sandbox', async (expression) => {
    expect(await outputOf(expression, {})).toBeNull();
  });

  it('a JSONata expression cannot change prototypes, variables or functions of later expressions', async () => {
    const spoil = [
      '{"a": {}} ~> |a|{"__proto__": {"left": 1}}|',
      '{"a": {}} ~> |a|{"constructor": {"prototype": {"left": 1}}}|',
      '$merge([{"__proto__": {"left": 1}}, {"a": 1}])',
      '($left := 1; $sum := 2; $left)',
    ];
    for (const expression of [...spoil, ...spoil]) await outputOf(expression);
    for (let round = 0; round < 4; round += 1)
      expect(await outputOf('[$exists($left), $exists(a.left), $sum([1, 2])]', { a: {} })).toEqual([
        false,
        false,
        3,
      ]);
  });

  const registry = new NodeTypeRegistry();
  registry.register(Reflect.getMetadata(NodeTypeMetadata.KEY, TransformNode), node);
  const save = (parameters: JsonObject) =>
    registry
      .find('transform')!
      .checkDefinition(parameters, 'nodes[2].with')
      .map(({ path, code, message }) => `${path} ${code} ${message}`);

  it.each<[JsonObject, string]>([
    [{}, 'nodes[2].with.expression required'],
    [{ expression: 1 }, 'nodes[2].with.expression type'],
    [{ expression: '' }, 'nodes[2].with.expression length'],
    [{ expression: '1', source: 1 }, 'nodes[2].with.source unknown_field'],
    [
      { expression: 'a +' },
      'nodes[2].with.expression transform_syntax Is not JSONata: Unexpected end of expression. At character 3.',
    ],
    [{ expression: '{{ input.a }}' }, 'nodes[2].with.expression transform_syntax'],
    [{ expression: `${'a#$i.'.repeat(257)}b` }, 'nodes[2].with.expression transform_too_complex'],
    [{ expression: '/(/' }, 'nodes[2].with.expression transform_syntax'],
    [{ expression: '('.repeat(16_000) }, 'nodes[2].with.expression transform_syntax'],
  ])('the transform node rejects the parameters %j when a workflow is saved', (parameters, fault) => {
    expect(save(parameters)).toEqual([expect.stringContaining(fault)]);
  });

  it('the transform node accepts double braces in a JSONata expression when a workflow is saved', () => {
    expect(save({ expression: '{"a":{"b":{"{{": 1}}}', input: '{{ input }}' })).toEqual([]);
  });
});
