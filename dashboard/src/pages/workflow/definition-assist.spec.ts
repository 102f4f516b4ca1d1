import { CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { type Assist, definitionSource } from './definition-assist.ts';
import type { DefinitionSchemas } from './definition-schema.ts';

const TYPES = [
  { type: 'http', title: 'HTTP', schema: { properties: { url: {}, method: { enum: ['GET', 'PUT'] } } } },
  { type: 'foreach', title: 'For each', schema: { properties: { items: {}, nodes: { items: {} } } } },
] as unknown as DefinitionSchemas['types'];

const ASSIST: Assist = {
  schemas: {
    types: TYPES,
    named: {
      WorkflowBody: {
        properties: {
          name: {},
          nodes: { type: 'array', items: { $ref: '#/components/schemas/NodeDto' } },
          config: { $ref: '#/components/schemas/ConfigDto' },
        },
      },
      NodeDto: {
        properties: { id: { type: 'string' }, type: { type: 'string' }, if: {}, needs: {}, with: {} },
      },
      ConfigDto: { properties: { timeout_seconds: { type: 'integer' } } },
    },
  },
  expressions: {
    inputSchema: { properties: { total: {} } },
    nodes: [{ id: 'load', type: 'http', outputSchema: {} }],
    secrets: [],
    isInLoop: false,
    last: null,
  },
};

/** Returns the completions that the editor offers at the cursor. The character `|` in the text marks the cursor. */
function offered(marked: string): readonly string[] {
  const pos = marked.indexOf('|');
  const state = EditorState.create({ doc: marked.replace('|', ''), extensions: [json()] });
  const found = definitionSource(() => ASSIST)(
    new CompletionContext(state, pos, true),
  ) as CompletionResult | null;
  return found?.options.map(({ label }) => label) ?? [];
}

describe('completion in the JSON of a definition', () => {
  it.each([
    ['{ "|": 1 }', ['"nodes"', '"config"']],
    ['{ "nodes": [], "c|": 1 }', ['"config"']],
    ['{ "nodes": [{ "id": "a", "|": 1 }] }', ['"type"', '"if"', '"needs"', '"with"']],
    ['{ "nodes": [{ "type": "|" }] }', ['"http"', '"foreach"']],
    ['{ "nodes": [{ "type": "http", "with": { "|": 1 } }] }', ['"url"', '"method"']],
    ['{ "nodes": [{ "type": "http", "with": { "method": "|" } }] }', ['"GET"', '"PUT"']],
    ['{ "nodes": [{ "needs": ["|"] }] }', ['"load"']],
    [
      '{ "nodes": [{ "type": "foreach", "with": { "nodes": [{ "type": "http", "with": { "u|": 1 } }] } }] }',
      ['"url"', '"method"'],
    ],
    ['{ "config": { "|": 1 } }', ['"timeout_seconds"']],
  ])('the JSON editor offers completions at the cursor `|` in %s', (marked, labels) => {
    expect(offered(marked)).toEqual(labels);
  });

  it('the JSON editor completes expressions in `{{ }}` and in conditions', () => {
    expect(offered('{ "nodes": [{ "with": { "url": "{{ input.|" } }] }')).toContain('total');
    expect(offered('{ "nodes": [{ "if": "input.|" }] }')).toContain('total');
  });
});
