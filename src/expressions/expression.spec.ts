import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExpressionError } from './value.js';
import { ExpressionSyntaxError } from './syntax.js';
import { compileExpression } from './expression.js';
import { at } from './fault.js';
import type { Json } from './json.js';

const scope = {
  input: {
    n: 21,
    half: 0.5,
    zero: 0,
    i: 1,
    name: 'Ada',
    nothing: null,
    yes: true,
    list: [3, 1, 2],
    items: [
      { price: 10, q: 2 },
      { price: 5, q: 3 },
    ],
    map: { a: 1, b: 2 },
    customer: {},
    'two words': 'x',
  },
  nodes: { a: { output: { x: 1 }, status: 'completed' }, skipped: { output: null } },
  secrets: { TOKEN: 'hush' },
};

function evaluate(source: string, values: Record<string, unknown> = scope): Json {
  return compileExpression(source).evaluate(values);
}

function failure(source: string, values: Record<string, unknown> = scope): ExpressionError {
  const expression = compileExpression(source);
  try {
    expression.evaluate(values);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`${source} was evaluated`);
}

function syntaxError(source: string, roots?: readonly string[]): ExpressionSyntaxError {
  try {
    compileExpression(source, roots);
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return error;
    throw error;
  }
  throw new Error(`${source} was compiled`);
}

describe('a compiled expression', () => {
  it.each<[string, Json]>([
    // Cases with numbers: JSON does not distinguish integers from doubles.
    ['input.n * 2', 42],
    ['input.n / 2', 10.5],
    ['7 / 2', 3.5],
    ['input.n % 2', 1],
    ['input.n - 0.5', 20.5],
    ['input.n + 1', 22],
    ['-input.n', -21],
    ['-input.zero', 0],
    ['0 * -1', 0],
    ['0xff + 1u', 256],
    ['1e300 * 10', 1e301],
    ['9007199254740991', 9007199254740991],
    ['1 == 1.0', true],
    ['1 != 1.5', true],
    ['input.n > 20.5 && input.n <= 21', true],
    ['"a" < "b" && "b" >= "b" && false < true', true],
    ['2 < 1', false],
    ['[1, "a", 2.5, null, true]', [1, 'a', 2.5, null, true]],
    ['{"a": input.n, "b": "x"}', { a: 21, b: 'x' }],
    ['{"a": {"b": [1]}}.a.b[0]', 1],
    ["r\"\\n\" + '''q'''", '\\nq'],
    ['[1] + [2, 3]', [1, 2, 3]],
    ['input.yes ? "y" : "n"', 'y'],
    ['!input.yes ? "y" : "n"', 'n'],
    ['input.list[input.i]', 1],
    ['input["two words"]', 'x'],
    ['nodes.a.output.x + 1', 2],
    ['nodes["a"].status', 'completed'],
    ['nodes.skipped.output', null],
    ['nodes.?b.output.orValue("none")', 'none'],
    ['nodes[?"a"].status', 'completed'],
    ['input.map[input.list[1] == 1 ? "a" : "b"]', 1],
    ['secrets.TOKEN', 'hush'],
    // Cases with optionals: a value that does not exist becomes null in the result.
    ['input.?missing.orValue(5)', 5],
    ['input.?n.orValue(5)', 21],
    ['input.?missing', null],
    ['input.?n', 21],
    ['input.?missing.deep.deeper.hasValue()', false],
    ['input.?customer.hasValue()', true],
    ['input.?missing.or(input.?n).value()', 21],
    ['input.?n.or(input.?missing)', 21],
    ['input[?"missing"] == null', true],
    ['input.list[?9].orValue(-1)', -1],
    ['[input.?missing, {"a": input.?n}]', [null, { a: 21 }]],
    ['optional.of(1).value() + input.?n', 22],
    ['optional.none()', null],
    ['cel.bind(x, input.?missing, x.orValue(3))', 3],
    ['has(input.n)', true],
    ['has(input.missing)', false],
    ['has(input["two words"])', true],
    ['has(nodes.skipped.output.x)', false],
    ['has(input.?missing.deep)', false],
    ['has(nodes.b)', false],
    // Cases with the operators `in`, `==` and `!=`, which compare values of any JSON type.
    ['2 in input.list', true],
    ['2.5 in input.list', false],
    ['"a" in input.map', true],
    ['"constructor" in input.map', false],
    ['[1, [2, {"a": "x"}]] == [1, [2, {"a": "x"}]]', true],
    ['[1] == [1, 2] || [1] == {} || {} == [] || {"a": 1} == {"b": 1} || {"a": 1} == {}', false],
    ['"a" == 1 || 1 == "1" || "a" == "b" || "a" == "ab" || null == false', false],
    ['{"a": 1} != {"a": 2}', true],
    // `||` and `&&` ignore an error of one operand if the other operand decides the result.
    ['input.missing == 1 || true', true],
    ['input.missing == 1 && false', false],
    ['true || input.missing == 1', true],
    ['has(input.missing) && input.missing > 1', false],
    ['false || input.yes', true],
    ['true && !input.yes', false],
    ['input.items.map(i, i.price * i.q).sum()', 35],
    ['input.items.map(i, i.q > 2, i.price)', [5]],
    ['input.items.filter(i, i.q > 2)', [{ price: 5, q: 3 }]],
    ['input.map.map(k, k + "!")', ['a!', 'b!']],
    ['input.list.all(x, x > 0)', true],
    ['input.list.all(x, x > 1)', false],
    ['input.list.exists(x, x == 2)', true],
    ['input.list.exists(x, x == 9)', false],
    ['[{}, {"a": 1}].exists(x, x.a == 1)', true],
    ['input.list.exists_one(x, x > 2)', true],
    ['input.list.exists_one(x, x > 1)', false],
    ['input.items.sortBy(i, i.price).map(i, i.price)', [5, 10]],
    ['[[1, 2], [3]].map(xs, xs.map(x, x * 10))', [[10, 20], [30]]],
    ['[1, 2].map(x, [3].map(x, x)[0] + x)', [4, 5]],
    ['cel.bind(total, input.list.sum(), input.list.map(x, x / total * 6))', [3, 1, 2]],
    // The variable of a macro may have the name of an outer variable or namespace, and then hides it.
    ['input.items.map(item, item.q)', [2, 3]],
    ['[{"a": 1}].map(nodes, nodes.a)', [1]],
    ['["a"].map(math, math.size())', [1]],
    ['size(input.list) + size("abc") + size(input.map)', 8],
    ['input.list.size() + "é😀".size()', 5],
    ['string(1.5) + string(true) + string("a") + string(null) + string([1])', '1.5truea[1]'],
    ['int("12") + int(3.9) + int(-3.9)', 12],
    ['double("2.5") + double(" 1".trim())', 3.5],
    ['bool("true") && bool(true) && !bool("false")', true],
    [
      '[type(null), type(1), type("a"), type(true), type([]), type({})]',
      ['null', 'number', 'string', 'bool', 'list', 'map'],
    ],
    ['dyn(1) + 1', 2],
    [
      'math.floor(-1.5) + math.ceil(1.2) + math.round(-2.5) + math.trunc(9.9) + math.abs(-1) + math.sign(-7)',
      6,
    ],
    ['math.greatest(1, 5, 2) + math.least([4, 3])', 8],
    ['"hello".contains("ell") && "hello".startsWith("he") && "hello".endsWith("lo")', true],
    ['"😀bb".indexOf("b") + "abab".lastIndexOf("b") + "a".indexOf("x")', 3],
    ['"a😀b".charAt(1) + "a😀b".substring(2) + "abc".substring(1, 2)', '😀bb'],
    ['"AbÇ".lowerAscii() + "aBç".upperAscii()', 'abÇABç'],
    ['"a,b,c".split(",")', ['a', 'b', 'c']],
    ['"a,b,c".split(",", 2)', ['a', 'b,c']],
    ['"abc".split(",", 0)', []],
    ['"a😀".split("")', ['a', '😀']],
    ['"aXbX".replace("X", "--") + "aXbX".replace("X", "", 1)', 'a--b--abX'],
    ['["a", 1, null, [2]].join("-") + [].join() + ["x", "y"].join()', 'a-1--[2]xy'],
    ['input.list.min() + input.list.max() * 10 + [2, 4].avg()', 34],
    ['["b", "a"].max()', 'b'],
    ['[].sum()', 0],
    ['input.list.sort()', [1, 2, 3]],
    ['[].sort() + [true, false].sort()', [false, true]],
    ['[1, 1.0, "a", "a", null, null, {"a": 1}, {"a": 1}, [1]].distinct()', [1, 'a', null, { a: 1 }, [1]]],
    ['[[1, [2]], 3].flatten()', [1, [2], 3]],
    ['input.list.reverse()', [2, 1, 3]],
    ['input.list.slice(1) + input.list.slice(0, 1)', [1, 2, 3]],
    ['[input.list.first(), input.list.last(), [].first()]', [3, 2, null]],
    ['input.map.keys() + input.map.values()', ['a', 'b', 1, 2]],
  ])('the expression %s evaluates to %j', (source, expected) => {
    expect(evaluate(source)).toEqual(expected);
  });

  it('an expression returns a part of the scope without copying it', () => {
    expect(evaluate('input.items')).toBe(scope.input.items);
  });

  it('a compiled expression can be evaluated several times with different values', () => {
    const expression = compileExpression('input.xs.map(x, x + input.n)');
    expect(expression.evaluate({ input: { xs: [1], n: 1 } })).toEqual([2]);
    expect(expression.evaluate({ input: { xs: [], n: 1 } })).toEqual([]);
    expect(expression.source).toBe('input.xs.map(x, x + input.n)');
  });

  it('an expression that selects or embeds a JSON value returns the value unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const data = JSON.parse(JSON.stringify(value)) as Json;
        const values = { input: { x: data } };
        expect(evaluate('input.x', values)).toBe(data);
        expect(evaluate('[input.x, {"__proto__": input.?x}][1]["__proto__"]', values)).toBe(data);
        expect(evaluate('input.x == input.y', { input: { x: data, y: structuredClone(data) } })).toBe(true);
      }),
    );
  });

  it('arithmetic in an expression gives the same numbers as JavaScript, or throws an `ExpressionError`', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), (a, b) => {
        const values = { input: { a, b } };
        for (const [operator, expected] of [
          ['+', a + b],
          ['-', a - b],
          ['*', a * b],
          ['/', a / b],
        ] as const) {
          let result: Json;
          try {
            result = evaluate(`input.a ${operator} input.b`, values);
          } catch (error) {
            expect(error).toBeInstanceOf(ExpressionError);
            continue;
          }
          expect(result).toBe(expected + 0);
          expect(JSON.parse(JSON.stringify(result))).toBe(result);
        }
      }),
    );
  });
});

describe('evaluation of expressions', () => {
  it.each<[string, string | null, RegExp]>([
    [
      'input.customer.email',
      'input.customer.email',
      /`input\.customer\.email` cannot be read: the field does not exist/,
    ],
    [
      'input.missing.email',
      'input.missing.email',
      /`input\.missing\.email` cannot be read: `input\.missing` does not exist/,
    ],
    ['input["missing"]["a b"]', 'input.missing["a b"]', /`input\.missing` does not exist/],
    ['input.list[input.n]', 'input.list[input.n]', /has 3 elements, but none at index 21/],
    ['[1][1]', '[1][1]', /has 1 element, but none at index 1/],
    ['input.list[0.5]', 'input.list[0.5]', /none at index 0\.5/],
    ['input.list.price', 'input.list.price', /elements of a list are read by index/],
    ['input.map[1]', 'input.map[1]', /keys of a map are strings, not a number/],
    [
      'nodes.skipped.output.x',
      'nodes.skipped.output.x',
      /the container of `nodes\.skipped\.output\.x` is null/,
    ],
    ['nodes.b.output', 'nodes.b.output', /`nodes\.b` does not exist/],
    ['session.state', 'session', /`session` is not available in this expression/],
    ['input.list.map(i, i.zz)', 'i.zz', /`i\.zz` cannot be read/],
    ['input.n + "a"', 'input.n', /`input\.n` is a number and `"a"` is a string; string\(x\)/],
    [
      '1 + null',
      '1',
      /needs two numbers, two strings or two lists, but `1` is a number and `null` is null\.$/,
    ],
    ['"a" - 1', '"a"', /`-` needs two numbers/],
    ['[] * 1', '[]', /is a list/],
    ['{} / 1', '{}', /is a map/],
    ['true % 1', 'true', /is a bool/],
    ['1 < "a"', '1', /two numbers, two strings or two bools/],
    ['[] >= []', '[]', /two bools/],
    ['1 / input.zero', 'input.zero', /Division by zero/],
    ['1 % 0', '0', /Division by zero/],
    ['1e308 * 10', '1e308', /not a finite number/],
    ['9007199254740991 + 1', '9007199254740991', /outside the range of whole numbers in JSON/],
    ['[9007199254740991, 1].sum()', '[9007199254740991, 1]', /outside the range of whole numbers/],
    ['-"a"', '"a"', /`-` needs a number/],
    ['!1', '1', /`!` needs a bool/],
    ['input.n ? 1 : 2', 'input.n', /`\?:` needs a bool \(true or false\), but `input\.n` is a number/],
    ['input.n && true', 'input.n', /`&&` needs a bool/],
    ['false || null', 'null', /`\|\|` needs a bool/],
    ['input.missing == 1 || false', 'input.missing', /`input\.missing` cannot be read/],
    ['[{}].all(x, x.a == 1)', 'x.a', /`x\.a` cannot be read/],
    ['1 in 2', '1', /needs a list, or a string and a map/],
    ['"a" in "abc"', '"a"', /use text\.contains\(part\)/],
    ['{1: 2}', '1', /keys of a map must be strings, but .* returns a number/],
    ['{"a": 1, "a": 2}', '"a"', /occurs twice/],
    ['input.n.map(i, i)', 'input.n', /`map` works on a list or map, but `input\.n` is a number/],
    ['input.n.orValue(1)', 'input.n', /`orValue` needs an optional value: write `\.\?`/],
    ['input.?missing.value()', 'input.missing', /has no value/],
    ['size(1)', '1', /`size` works on a string, list or map/],
    ['"a".sum()', '"a"', /`sum` works on a list, but `"a"` is a string/],
    ['[].keys()', '[]', /`keys` works on a map/],
    ['input.nothing.trim()', 'input.nothing', /`trim` works on a string, but `input\.nothing` is null/],
    ['"a".contains(1)', '"a"', /needs a string as argument 1/],
    ['"a".substring(-1)', '"a"', /whole number from 0 as argument 1/],
    ['"a".split(",", null)', '"a"', /whole number from 0 as argument 2/],
    ['"a".replace("", "b")', '"a"', /not empty/],
    ['["a"].sum()', '["a"]', /needs numbers, but got a string/],
    ['math.floor("a")', '"a"', /`math\.floor` needs numbers/],
    ['[].min()', '[]', /at least one element/],
    ['[].avg()', '[]', /at least one element/],
    ['[1, "a"].sort()', '[1, "a"]', /all numbers, all strings or all bools/],
    ['input.items.max()', 'input.items', /all numbers/],
    ['int("1e999")', '"1e999"', /contains a number/],
    ['int("")', '""', /needs text that contains a number/],
    ['int(1e300)', '1e300', /outside the range of whole numbers/],
    ['double([])', '[]', /cannot convert a list/],
    ['bool("maybe")', '"maybe"', /needs the text "true" or "false"/],
    ['bool(1)', '1', /cannot convert a number/],
  ])('evaluation throws an ExpressionError for %s', (source, path, message) => {
    const error = failure(source);
    expect(error.code).toBe('expression_error');
    expect(error.path).toBe(path);
    expect(error.message).toMatch(message);
  });

  it('an evaluation error shortens long paths', () => {
    expect(failure(`"${'a'.repeat(200)}" + 1`).path).toHaveLength(83);
  });

  it('the message of an evaluation error never contains the value of a secret', () => {
    for (const source of [
      'int(secrets.TOKEN)',
      'secrets.TOKEN + 1',
      'input[secrets.TOKEN]',
      'bool(secrets.TOKEN)',
    ]) {
      expect(failure(source).message).not.toContain('hush');
    }
  });
});

describe('parsing of expressions', () => {
  it.each<[string, string, number, RegExp]>([
    ['', 'expression_syntax', 0, /empty/],
    ['{{ input.total > 1 }}', 'expression_syntax', 0, /remove the braces/],
    ['{"a": }', 'expression_syntax', 6, /Unexpected token/],
    ['1 +', 'expression_syntax', 3, /at character 4: Unexpected token: the end/],
    ['(1', 'expression_syntax', 2, /Expected `\)`, got the end/],
    ['input.b"x"', 'expression_syntax', 6, /Expected a name, got BYTES/],
    ['1 + in', 'expression_syntax', 4, /Unexpected token: `in`/],
    ['"a', 'expression_syntax', 0, /Unterminated string/],
    ['1 # 2', 'expression_syntax', 2, /Unexpected character/],
    ['foo + 1', 'unknown_name', 0, /The name `foo` is unknown here\. Known names: input, nodes/],
    ['[1].map(x, y)', 'unknown_name', 11, /Known names: .*, index, x\./],
    ['[1].map(x, x) + [x]', 'unknown_name', 17, /`x` is unknown here/],
    ['foo(1)', 'unknown_name', 0, /The function `foo` does not exist\. Available: has, /],
    ['"a".foo()', 'unknown_name', 0, /The method `foo` does not exist\. Available: all, /],
    ['math.foo()', 'unknown_name', 0, /The function `math\.foo` does not exist/],
    ['"a".matches("a")', 'unknown_name', 0, /`matches` is not available: use contains/],
    ['timestamp("2026-01-01T00:00:00Z")', 'unknown_name', 0, /ISO 8601/],
    ['nodes', 'expression_syntax', 0, /`nodes` must be followed by a constant name/],
    ['nodes[input.name].output', 'expression_syntax', 0, /`nodes` must be followed by a constant name/],
    ['"a" in nodes', 'expression_syntax', 7, /`nodes` must be followed by a constant name/],
    ['nodes.map(n, n)', 'expression_syntax', 0, /`nodes` must be followed by a constant name/],
    ['[secrets]', 'expression_syntax', 1, /`secrets` must be followed by a constant name/],
    ['has(input)', 'expression_syntax', 0, /`has` needs one field/],
    ['has(input[input.name])', 'expression_syntax', 0, /constant name/],
    ['has()', 'expression_syntax', 0, /`has` needs 1 argument, not 0/],
    ['size()', 'expression_syntax', 0, /needs 1 argument,/],
    ['"a".substring()', 'expression_syntax', 0, /needs 1 to 2 arguments, not 0/],
    ['[1].filter(x)', 'expression_syntax', 0, /needs 2 arguments/],
    ['[1].sortBy(1, 2)', 'expression_syntax', 11, /name of a variable/],
    ['[1].map(1, 2)', 'expression_syntax', 8, /name of a variable/],
    ['cel.bind(x, 1)', 'expression_syntax', 0, /needs 3 arguments/],
    ['input.?a.orValue()', 'expression_syntax', 0, /needs 1 argument,/],
    ['b"x"', 'expression_syntax', 0, /Bytes/],
    ['9007199254740992', 'expression_syntax', 0, /outside the range of whole numbers in JSON/],
    ['(1 + 2).constructor("x")', 'unknown_name', 1, /The method `constructor` does not exist/],
    ['constructor', 'unknown_name', 0, /`constructor` is unknown/],
    ['toString()', 'unknown_name', 0, /The function `toString` does not exist/],
    ['input.__proto__()', 'unknown_name', 0, /The method `__proto__` does not exist/],
  ])('parsing throws an ExpressionSyntaxError for %s', (source, code, position, message) => {
    const error = syntaxError(source);
    expect(error.code).toBe(code);
    expect(error.position).toBe(position);
    expect(error.message).toMatch(message);
  });

  it('parsing of an expression rejects a root variable that is not in scope', () => {
    expect(syntaxError('secrets.A', ['input', 'nodes'])).toMatchObject({ code: 'unknown_name' });
    expect(syntaxError('secrets', ['input'])).toMatchObject({ code: 'unknown_name' });
    expect(syntaxError('index', ['input']).message).toContain('Known names: input.');
    expect(compileExpression('index + 1', ['index']).evaluate({ index: 1 })).toBe(2);
  });
});

describe('references of expressions', () => {
  it('the references of an expression include every node, secret and root variable', () => {
    const { references } = compileExpression(
      'has(nodes.a.output) && nodes["b"].output.x == [secrets.?KEY].map(x, nodes[?"c"].y) ? input.x : session.state[nodes.d.output]',
    );
    expect([...references.nodes].sort()).toEqual(['a', 'b', 'c', 'd']);
    expect([...references.secrets]).toEqual(['KEY']);
    expect([...references.roots].sort()).toEqual(['input', 'nodes', 'secrets', 'session']);
  });

  it('the references of an expression omit variables that shadow a root variable', () => {
    const { references } = compileExpression('[{"a": 1}].map(nodes, nodes.a + [2].map(input, input)[0])');
    expect([...references.roots, ...references.nodes]).toEqual([]);
  });
});

describe('property access in expressions', () => {
  const hostile = {
    input: {
      s: 'text',
      list: [1],
      map: {},
      f: () => 1,
      own: JSON.parse('{"constructor":1,"__proto__":2}') as Json,
    },
  };

  it.each([
    'input.constructor',
    'input.__proto__',
    'input["__proto__"]',
    'input.map.toString',
    'input.s.constructor',
    'input.s.length',
    'input.s[0]',
    'input.list.length',
    'input.list["length"]',
    'input.list["constructor"]',
    'input.list[-1]',
    'input.f.name',
    '"a".constructor',
    '{}.constructor',
    '{}["hasOwnProperty"]',
    '[].at',
    '1.5.constructor',
    'input.map[?"constructor"].value()',
    'input.?s.?constructor.value()',
  ])('evaluation rejects the unsafe expression %s', (source) => {
    expect(failure(source, hostile)).toBeInstanceOf(ExpressionError);
  });

  it('expressions read own keys such as constructor and __proto__ as data', () => {
    expect(evaluate('[input.own.constructor, input.own["__proto__"]]', hostile)).toEqual([1, 2]);
    const built = evaluate('{"__proto__": {"polluted": 1}, "constructor": 2}') as Record<string, Json>;
    expect(Object.getPrototypeOf(built)).toBe(Object.prototype);
    expect(Object.keys(built)).toEqual(['__proto__', 'constructor']);
  });

  it('expressions never return a function and never read the prototype of the scope', () => {
    expect(failure('input.f', hostile).message).toContain('not JSON');
    expect(failure('[input.f]', hostile).message).toContain('not JSON');
    expect(() => compileExpression('constructor', ['constructor']).evaluate({})).toThrow(ExpressionError);
  });
});

describe('limits of expressions', () => {
  const big = {
    input: {
      list: Array.from({ length: 10_000 }, (_, i) => ({ i, name: `n${i}` })),
      text: 'a'.repeat(1_000_000),
      needle: `b${'a'.repeat(999)}`,
      long: 'a'.repeat(1001),
      many: ',a'.repeat(200_000),
    },
  };
  const steps = /too many steps/;

  it.each<[string, RegExp]>([
    ['input.list.map(a, input.list.map(b, input.list.map(c, a.i + b.i + c.i)))', steps],
    ['input.list.exists(a, input.list.exists(b, input.list.exists(c, 1 / 0 == 1)))', steps],
    ['input.list.all(a, 1 / 0 == 1 || 1 / 0 == 1)', steps],
    [
      '(input.list.all(a, input.list.all(b, true)) || input.list.all(a, input.list.all(b, true))) || true',
      steps,
    ],
    ['input.list.filter(a, input.list.sortBy(b, b.name).size() > 0)', steps],
    ['input.list.distinct()', steps],
    ['input.list.map(a, input.text.contains(input.needle))', steps],
    ['input.list.map(a, input.text.split(input.needle))', steps],
    ['input.list.map(a, input.text.lowerAscii())', steps],
    ['input.list.map(a, input.text.size())', steps],
    ['input.list.map(a, input.text + "a" == input.text + "b")', steps],
    ['input.list.map(a, input.text.startsWith(input.text + ""))', steps],
    ['input.list.map(a, [input.text, input.text].max())', steps],
    ['input.list.map(a, [input.text].distinct())', steps],
    ['input.list.map(a, input.text.trim())', steps],
    ['input.list.map(a, string(input.list))', steps],
    ['input.list.map(a, input.list + input.list)', steps],
    ['input.list.map(a, input.list.map(b, b.i))', steps],
    ['input.list.map(a, input.list.reverse())', steps],
    ['input.list.map(a, a in input.list)', steps],
    ['input.text.contains(input.long)', /longer than 1000/],
    ['input.text + input.text', /text longer than/],
    ['[input.text, input.text].join()', /text longer than/],
    ['input.many.replace(",", "")', /list longer than/],
    ['input.text.split("")', /list longer than/],
    ['input.list.map(a, input.text)', /result is larger/],
    ['[{"a": input.list.map(a, input.text), "b": 1}]', /result is larger/],
    ['input.list.map(a, {input.text + string(a.i): 1}).size() > 0', steps],
  ])('an expression fails at a limit: %s', (source, message) => {
    expect(failure(source, big).message).toMatch(message);
  });

  it('any text, evaluated as an expression, gives JSON or fails with an expression error', () => {
    const words =
      'input nodes.a .x .?x [0] [?"x"] . ( ) [ ] { } , : ? ?: + - * / % == != < >= in && || ! 1 0 2.5 1u 0x "a" r"\\" b"x" \'\'\' true null x map( filter(x, all(x, exists_one(x, sortBy(x, cel.bind(x, has( size( .orValue( .value() .split( .sum() .keys() .flatten() .distinct() .join( \\ // \n # 1e9 9999999999999999999'.split(
        ' ',
      );
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...words), { maxLength: 12 }),
        fc.constantFrom('', ' '),
        (parts, separator) => {
          try {
            const value = evaluate(parts.join(separator));
            expect(JSON.parse(JSON.stringify(value))).toEqual(value);
          } catch (error) {
            if (!(error instanceof ExpressionSyntaxError)) expect(error).toBeInstanceOf(ExpressionError);
          }
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('evaluation fails before texts, lists or results grow exponentially', () => {
    const text = Array.from({ length: 21 }, (_, i) => `cel.bind(a${i}, `);
    const bind = (value: (previous: string) => string, last: string): string =>
      text.map((open, i) => `${open}${value(i === 0 ? last : `a${i - 1}`)}, `).join('') +
      'a20' +
      ')'.repeat(21);
    expect(failure(bind((a) => `${a} + ${a}`, '"x"')).message).toMatch(/text longer than/);
    expect(failure(bind((a) => `${a} + ${a}`, '[1]')).message).toMatch(/list longer than/);
    const tree = bind((a) => `[${a}, ${a}, ${a}]`, '"x"');
    expect(failure(tree).message).toMatch(/result is larger/);
    expect(failure(`${tree} == ${tree}`).message).toMatch(steps);
    expect(failure(`string(${tree}) == ""`).message).toMatch(steps);
    expect(failure(`[1, 2].exists(i, string(${tree}) == "")`).message).toMatch(steps);
  });

  it('an ordinary expression over 10,000 list items does not exceed the evaluation limits', () => {
    expect(evaluate('input.list.filter(a, a.i % 2 == 0).map(a, a.i * 2).sum()', big)).toBe(49_990_000);
    expect(evaluate('input.list.sortBy(a, -a.i).first().i', big)).toBe(9999);
    expect(evaluate('input.text', big)).toBe(big.input.text);
  });

  it('parsing limits the length, nesting and number of parts of an expression', () => {
    expect(syntaxError(`"${'a'.repeat(4096)}"`).message).toContain('The maximum is 4096');
    expect(syntaxError('('.repeat(200) + '1' + ')'.repeat(200)).message).toContain('nested too deeply');
    expect(syntaxError('!'.repeat(4000) + 'true').message).toContain('too many parts');
    expect(syntaxError(Array(300).fill('1').join('+')).message).toContain('nested deeper than 200');
    expect(syntaxError('[1].map(a, [1].map(b, [1].map(c, [1].map(d, d))))').message).toContain(
      'Loops are nested deeper than 3',
    );
    expect(evaluate('[1].map(a, [1].map(b, [1].map(c, c)))')).toEqual([[[1]]]);
  });

  it('evaluation of an expression rejects data that is nested too deeply', () => {
    let deep: Json = 1;
    for (let i = 0; i < 20_000; i += 1) deep = [deep];
    const values = { input: { deep, same: [deep] } };
    expect(failure('input.deep', values).message).toContain('nested deeper than 200');
    expect(failure('input.deep == input.same', values).message).toMatch(/nested too deeply|too many steps/);
  });

  it('evaluation of an expression rethrows internal errors unchanged', () => {
    const expression = compileExpression('input.x');
    const broken = {
      get input(): unknown {
        throw new TypeError('not an expression fault');
      },
    };
    expect(() => expression.evaluate(broken)).toThrow(TypeError);
    expect(() => compileExpression('input.x == 1 || true').evaluate(broken)).toThrow(TypeError);
    expect(() => compileExpression('[1].all(i, input.x == 1)').evaluate(broken)).toThrow(TypeError);
  });
});

describe('`at()` for paths of errors', () => {
  it('the function `at()` joins the names of a path with dots and puts numbers in brackets', () => {
    expect(at('nodes', 2, 'with', 'url')).toBe('nodes[2].with.url');
    expect(at(at('nodes', 2), '[0]', '', 'x')).toBe('nodes[2][0].x');
  });
});
