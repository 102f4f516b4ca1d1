import { describe, expect, it } from 'vitest';
import { type DefinedOuterNode, NodeRows } from './node-rows.js';

const node = (id: string, ...body: readonly string[]): DefinedOuterNode => ({
  id,
  type: 'set',
  body: body.map((inner) => ({ id: inner, type: 'set' })),
});
const NODES = [node('loop', 'x', 'y'), node('after')];
const ITEMS = new Map([['loop', 3]]);

/** The listed rows in short form, such as `x0`: id of the node, then index of the loop item. */
const part = (rows: NodeRows, start: number, limit: number): readonly string[] =>
  rows.part(start, limit).map((row) => row.node.id + (row.iteration === null ? '' : row.iteration.index));

describe('NodeRows', () => {
  const all = ['loop', 'x0', 'y0', 'x1', 'y1', 'x2', 'y2', 'after'];

  it('node rows list all nodes of one loop item before the nodes of the next item', () => {
    const rows = new NodeRows(NODES, ITEMS);
    expect([rows.total, part(rows, 0, 100)]).toEqual([8, all]);
  });

  it('node rows are the same for every page size', () => {
    const rows = new NodeRows(NODES, ITEMS);
    for (let size = 1; size <= all.length; size += 1) {
      const pages = Array.from({ length: Math.ceil(all.length / size) }, (_, page) =>
        part(rows, page * size, size),
      );
      expect(pages.flat()).toEqual(all);
    }
  });

  it('node rows omit the nodes inside a loop without items', () => {
    for (const items of [new Map<string, number>(), new Map([['loop', 0]])])
      expect(part(new NodeRows(NODES, items), 0, 100)).toEqual(['loop', 'after']);
  });

  it.each([
    ['x', ['x0', 'x1', 'x2']],
    ['loop', ['loop']],
    ['missing', []],
  ])('node rows limited to the node "%s" contain only this node', (nodeId, expected) => {
    const rows = new NodeRows(NODES, ITEMS, nodeId);
    expect([part(rows, 0, 100), rows.total]).toEqual([expected, expected.length]);
  });

  it('a page of node rows after the last row is empty', () => {
    expect(part(new NodeRows(NODES, ITEMS), 8, 10)).toEqual([]);
  });

  it('`NodeRows` returns a page near the end of a loop with a million items', () => {
    const rows = new NodeRows(NODES, new Map([['loop', 1_000_000]]));
    expect(part(rows, 1_999_998, 4)).toEqual(['y999998', 'x999999', 'y999999', 'after']);
  });
});
