import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExpressionError } from './value.js';
import type { Json, JsonObject } from './json.js';
import { compileTemplate, mentionsExpression } from './template.js';

const scope = {
  input: { n: 2, name: 'Ada', list: [1, 'a'], map: { a: 1 }, nothing: null, yes: true, price: 1.5 },
  nodes: { a: { output: 7 } },
};

function render(value: Json): Json {
  const { template, faults } = compileTemplate(value, 'with');
  expect(faults).toEqual([]);
  return template.render(scope);
}

describe('rendering a template', () => {
  it.each<[string, Json]>([
    ['{{ input.n }}', 2],
    [' \n{{input.list}}\t', [1, 'a']],
    ['{{ input.nothing }}', null],
    ['{{ input.?missing }}', null],
    ['{{ {"a": {"b": 1}} }}', { a: { b: 1 } }],
    ['{{{"a": {"b": input.n}}}}', { a: { b: 2 } }],
    ['{{ "}}" }}', '}}'],
    ["{{ '}}' + \"'}}\" }}", "}}'}}"],
    ['{{ "\\"}}" }}', '"}}'],
    ['{{ """a"}}""" }}', 'a"}}'],
    ["{{ '''}}''' }}", '}}'],
    ['{{ r"}}\\d" }}', '}}\\d'],
    ['{{ "" + input.name }}', 'Ada'],
    ['{{ 1 // }} is a comment\n }}', 1],
    ['{{ 6 / 2 }}', 3],
    ['Hello {{ input.name }}!', 'Hello Ada!'],
    ['{{input.name}}{{input.n}}', 'Ada2'],
    ['{{ input.n }} {{ input.n }}', '2 2'],
    ['{{ input.n }}.', '2.'],
    [
      '{{ input.price }}/{{ input.yes }}/{{ input.nothing }}/{{ input.list }}/{{ input.map }}',
      '1.5/true//[1,"a"]/{"a":1}',
    ],
    ['{{ "{{" }}x}}', '{{x}}'],
    ['}} { } {', '}} { } {'],
    ['', ''],
  ])('the template %j renders to %j', (text, expected) => {
    expect(render(text)).toEqual(expected);
  });

  it('a template renders strings at any depth of a document, but not keys', () => {
    const document = {
      '{{ a }}': ['{{ input.n }}', { deep: 'n={{ input.n }}', none: '{{ input.nothing }}' }, 5],
      plain: [1],
    };
    const rendered = render(document) as typeof document;
    expect(rendered).toEqual({ '{{ a }}': [2, { deep: 'n=2', none: null }, 5], plain: [1] });
    expect(rendered.plain).toBe(document.plain);
  });

  it('a template keeps __proto__ as data', () => {
    const document = JSON.parse(
      '{"__proto__": {"polluted": "{{ input.n }}"}, "constructor": "{{ input.n }}"}',
    ) as Json;
    const rendered = render(document);
    expect(Object.getPrototypeOf(rendered)).toBe(Object.prototype);
    expect(JSON.stringify(rendered)).toBe('{"__proto__":{"polluted":2},"constructor":2}');
  });

  it('a template without expressions renders to the document itself, not a copy', () => {
    const letters = fc
      .string({ unit: fc.constantFrom('{', '}', '"', 'a', ' ', '_') })
      .filter((text) => !text.includes('{{'));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(letters), fc.dictionary(letters, letters)), (value) => {
        fc.pre(!JSON.stringify(value).includes('{{'));
        const { template, faults } = compileTemplate(value as Json, '');
        expect(template.isLiteral).toBe(true);
        expect(faults).toEqual([]);
        expect(template.render({})).toBe(value);
        expect(mentionsExpression(value as Json)).toBe(false);
      }),
    );
  });

  it('a template that consists of one expression renders to the value of the expression, not to text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.string(), (value, text) => {
        const { template } = compileTemplate({ typed: '{{ input.value }}', text: '<{{ input.text }}>' }, '');
        expect(template.isLiteral).toBe(false);
        const rendered = template.render({ input: { value, text } }) as { typed: Json; text: Json };
        expect(rendered.typed).toBe(value);
        expect(rendered.text).toBe(`<${text}>`);
      }),
    );
  });

  it('the JSON form of any text is a string literal that an expression evaluates to this text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '"', "'", 'a', '/', ' ') }), (text) => {
        expect(render(`{{ ${JSON.stringify(text)} }}`)).toBe(text);
        expect(render(`-{{ ${JSON.stringify(text)} }}-`)).toBe(`-${text}-`);
      }),
    );
  });

  it('the error of a template names the missing value', () => {
    const { template } = compileTemplate(['x {{ input.missing }}'], 'with');
    expect(() => template.render(scope)).toThrow(/input\.missing/);
  });

  it('rendering of a template fails if the text becomes too long', () => {
    const { template } = compileTemplate('{{ input.t }}'.repeat(3), '');
    expect(() => template.render({ input: { t: 'a'.repeat(600_000) } })).toThrow(ExpressionError);
  });
});

describe('compiling a template', () => {
  it('`compileTemplate` reports every error with its path', () => {
    const document = {
      url: '{{ foo }}/{{ 1 + }}',
      headers: [{ a: 'ok {{ input.n }}' }, { b: 'no {{ input.n' }],
      body: '{{ }}',
      one: '{{ "a }}',
      two: '{{ """a" }}',
      three: '{{ 1 // }}',
      four: '{{ input.n } }}',
      five: '{{ {1: 2} ',
    };
    const { faults, template } = compileTemplate(document, 'nodes[2].with');
    expect(faults.map(({ path, code }) => [path, code])).toEqual([
      ['nodes[2].with.url', 'unknown_name'],
      ['nodes[2].with.url', 'expression_syntax'],
      ['nodes[2].with.headers[1].b', 'expression_syntax'],
      ['nodes[2].with.body', 'expression_syntax'],
      ['nodes[2].with.one', 'expression_syntax'],
      ['nodes[2].with.two', 'expression_syntax'],
      ['nodes[2].with.three', 'expression_syntax'],
      ['nodes[2].with.four', 'expression_syntax'],
      ['nodes[2].with.five', 'expression_syntax'],
    ]);
    expect(faults[0]?.message).toContain('The name `foo` is unknown');
    expect(faults[2]?.message).toContain('`{{` at character 4 has no matching `}}`');
    expect([...template.references.roots]).toEqual(['input']);
  });

  it('`compileTemplate` reports at most 1,000 errors', () => {
    const faultsOf = (value: Json): number => compileTemplate(value, 'with').faults.length;
    expect(faultsOf(Array.from({ length: 1_200 }, () => '{{ + }}'))).toBe(1_000);
    expect(faultsOf('{{ + }}'.repeat(1_200))).toBe(1_000);
  });

  it('`render` limits the total number of steps of all expressions of a template', () => {
    const list = Array.from({ length: 600 }, (_, i) => i);
    const many = (count: number): JsonObject => ({
      list: Array.from({ length: count }, () => '{{ input.list.map(a, input.list.map(b, a)).size() }}'),
      text: '{{ input.list.map(a, input.list.map(b, a)).size() }} items',
    });
    const rendered = (document: JsonObject): Json =>
      compileTemplate(document, '').template.render({ input: { list } });
    expect(rendered(many(2))).toEqual({ list: [600, 600], text: '600 items' });
    expect(() => rendered(many(100))).toThrow(
      'The expressions of this document together take too many steps.',
    );
  });

  it('`compileTemplate` records the path of the first reference to each node', () => {
    const document = { a: [1, '{{ nodes.x.output }}'], b: '{{ nodes.x.output + nodes.y.output }}' };
    expect([...compileTemplate(document, 'with').template.places]).toEqual([
      ['x', 'with.a[1]'],
      ['y', 'with.b'],
    ]);
  });

  it('`compileTemplate` collects the references of all expressions', () => {
    const { template } = compileTemplate(
      ['{{ nodes.a.output }} {{ nodes.b.output }}', { x: '{{ secrets.KEY }}' }],
      '',
    );
    expect([...template.references.nodes]).toEqual(['a', 'b']);
    expect([...template.references.secrets]).toEqual(['KEY']);
    expect([...template.references.roots]).toEqual(['nodes', 'secrets']);
  });

  it('`compileTemplate` rejects root variables outside the scope', () => {
    expect(compileTemplate('{{ secrets.KEY }}', 'output', ['input']).faults).toMatchObject([
      { path: 'output', code: 'unknown_name' },
    ]);
  });

  it('`compileTemplate` rethrows internal errors', () => {
    const roots = new Proxy<string[]>([], {
      get: () => {
        throw new TypeError('not a fault of the document');
      },
    });
    expect(() => compileTemplate('{{ a }}', '', roots)).toThrow(TypeError);
  });

  it('`mentionsExpression` finds expressions in values, not in keys', () => {
    expect(mentionsExpression({ a: [1, null, { b: 'x {{' }] })).toBe(true);
    expect(mentionsExpression({ '{{ a }}': [1, 'x {'] })).toBe(false);
  });
});
