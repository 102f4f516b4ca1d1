import { expect, it } from 'vitest';
import { fieldInNode, problemAddress } from './problem-places.ts';

const DEFINITION = {
  nodes: [
    { id: 'load', type: 'http' },
    { id: 'each', type: 'foreach', with: { nodes: [{ id: 'charge', type: 'http' }] } },
  ],
};

it.each([
  ['nodes[0].with.url', { loop: null, id: 'load' }, 'with.url'],
  ['nodes[1].with.nodes[0].with.url', { loop: 'each', id: 'charge' }, 'with.url'],
  ['nodes[1].with.items', { loop: null, id: 'each' }, 'with.items'],
  ['nodes[1].with.nodes[7]', { loop: null, id: 'each' }, 'with.nodes[7]'],
  ['nodes[0]', { loop: null, id: 'load' }, ''],
])('`problemAddress` finds the node of a problem at the path %s', (field, address, inner) => {
  expect(problemAddress(DEFINITION, { field, reason: '' })).toEqual(address);
  expect(fieldInNode(field, address)).toBe(inner);
});

it.each(['', 'nodes', 'nodes[9].id', 'output.total', 'config.timeout_seconds'])(
  '`problemAddress` returns null for a problem at %j, which is not inside a node',
  (field) => expect(problemAddress(DEFINITION, { field, reason: '' })).toBeNull(),
);
