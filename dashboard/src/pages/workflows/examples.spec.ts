import { describe, expect, it } from 'vitest';
import { demoWorkflow } from '../../../../tools/demo/demo-workflow.ts';
import { EXAMPLES } from './examples.ts';
import { ORDER_DEMO } from '../../shell/order-demo.ts';

/** The sample inputs of the examples, by path. An example that users do not start by hand has no `input.json`. */
const INPUTS = import.meta.glob('../../../../examples/*/input.json');

describe('templates', () => {
  it('every example with an `input.json` is a template with a title and a description', () => {
    const folders = Object.keys(INPUTS).map((path) => path.split('/').at(-2) ?? path);
    expect(folders.length).toBeGreaterThan(8);
    expect(new Set(EXAMPLES.map(({ id }) => id))).toEqual(new Set(folders));
    for (const { title, description, body } of EXAMPLES) {
      expect([title, description].every((text) => text.length > 0)).toBe(true);
      expect(body.nodes?.length).toBeGreaterThan(0);
    }
  });

  it('the template "Order demo" has the same nodes as the workflow of `npm run demo`', () => {
    const shape = (nodes: readonly { readonly id: string; readonly needs?: readonly string[] }[]) =>
      nodes.map(({ id, needs = [] }) => ({ id, needs }));
    expect(shape(ORDER_DEMO.body.nodes ?? [])).toEqual(shape(demoWorkflow(1, 1).nodes));
  });
});
