import { describe, expect, it } from 'vitest';
import {
  addNode,
  type Address,
  addressesOf,
  connect,
  copyNodes,
  type Definition,
  disconnect,
  EditError,
  moveNode,
  needsOf,
  nodeAt,
  pasteNodes,
  removeNodes,
  renameNode,
} from './definition.ts';

const top = (id: string): Address => ({ loop: null, id });
const inEach = (id: string): Address => ({ loop: 'each', id });

const ORDERS: Definition = {
  input_schema: { type: 'object' },
  nodes: [
    { id: 'load', type: 'http', with: { url: 'https://shop.example/orders' } },
    {
      id: 'each',
      type: 'foreach',
      with: {
        items: '{{ nodes.load.output.body }}',
        nodes: [
          { id: 'charge', type: 'http', with: { url: 'https://shop.example/{{ item.id }}' } },
          {
            id: 'note',
            type: 'set',
            with: { value: '{{ nodes.charge.output.status + nodes.load.output.status }}' },
          },
        ],
        output: '{{ nodes.note.output }}',
      },
    },
    {
      id: 'report',
      type: 'set',
      needs: ['each'],
      if: 'size(nodes["load"].output.body) > 0',
      with: { value: 1 },
    },
  ],
  output: '{{ nodes.report.output }}',
};

describe('needsOf', () => {
  it('`needsOf` reports whether a dependency of a node is listed in `needs` or referenced in an expression', () => {
    const report = nodeAt(ORDERS, top('report'));
    expect(report && needsOf(report, ORDERS.nodes)).toEqual([
      { id: 'load', listed: false, referenced: true },
      { id: 'each', listed: true, referenced: false },
    ]);
  });

  it('`needsOf` ignores the id of a node in a text that is not an expression', () => {
    const node = { id: 'b', type: 'set', with: { value: 'nodes.a is a text' } };
    expect(needsOf(node, [{ id: 'a', type: 'set' }, node])).toEqual([]);
  });
});

describe('addNode', () => {
  it('`addNode` derives the id of a new node from its type, and adds a number if the id is taken', () => {
    const first = addNode(ORDERS, null, { type: 'set' }, 'load');
    const second = addNode(first.definition, 'each', { type: 'set' });
    expect([first.address, second.address]).toEqual([top('set'), inEach('set_2')]);
    expect(nodeAt(first.definition, top('set'))).toEqual({ id: 'set', type: 'set', needs: ['load'] });
  });

  it('`addNode` replaces characters of a node type that are not allowed in an id', () => {
    expect(addNode(ORDERS, null, { type: 'Acme-Send.Mail' }).address.id).toBe('acme_send_mail');
  });

  it('`addNode` changes no field of the definition other than `nodes`', () => {
    const { definition } = addNode(ORDERS, null, { type: 'set' });
    expect({ ...definition, nodes: null }).toEqual({ ...ORDERS, nodes: null });
  });
});

describe('removeNodes', () => {
  it('`removeNodes` removes the node from the dependencies of other nodes', () => {
    const left = removeNodes(ORDERS, [top('each')]);
    expect(left.nodes.map(({ id }) => id)).toEqual(['load', 'report']);
    expect(nodeAt(left, top('report'))).not.toHaveProperty('needs');
  });

  it('`removeNodes` removes a node inside a loop', () => {
    expect(nodeAt(removeNodes(ORDERS, [inEach('note')]), inEach('note'))).toBeUndefined();
  });
});

describe('renameNode', () => {
  it('`renameNode` renames a node in all expressions, conditions and lists of dependencies', () => {
    const text = JSON.stringify(renameNode(ORDERS, top('load'), 'fetch_orders'));
    expect(text).not.toContain('nodes.load');
    expect(text).not.toContain('nodes[\\"load\\"]');
    expect(text.match(/fetch_orders/g)).toHaveLength(4);
  });

  it('`renameNode` changes the references to the node in the output of the workflow', () => {
    expect(renameNode(ORDERS, top('report'), 'summary')['output']).toBe('{{ nodes.summary.output }}');
  });

  it('for a node inside a loop, `renameNode` changes only references within that loop', () => {
    const renamed = renameNode(ORDERS, inEach('note'), 'line');
    expect(nodeAt(renamed, top('each'))?.with?.['output']).toBe('{{ nodes.line.output }}');
    expect(renamed['output']).toBe(ORDERS['output']);
  });

  it('`renameNode` keeps ids that only start with the old id, and texts outside expressions', () => {
    const definition: Definition = {
      nodes: [
        { id: 'a', type: 'set' },
        { id: 'b', type: 'set', with: { value: 'nodes.a {{ nodes.a_b.output }}' } },
      ],
    };
    expect(renameNode(definition, top('a'), 'c').nodes[1]).toEqual(definition.nodes[1]);
  });

  it.each(['Load', '1st', 'each', 'note', ''])('`renameNode` refuses the new id %j', (id) => {
    expect(() => renameNode(ORDERS, top('load'), id)).toThrow(EditError);
  });
});

describe('connect and disconnect', () => {
  it('`connect` adds a dependency only once', () => {
    const once = connect(ORDERS, top('load'), top('each'));
    expect(nodeAt(connect(once, top('load'), top('each')), top('each'))?.needs).toEqual(['load']);
  });

  it('`connect` refuses to connect a node with itself, to close a cycle, or to connect into a loop', () => {
    expect(() => connect(ORDERS, top('report'), top('load'))).toThrow(/would create a cycle/);
    expect(() => connect(ORDERS, top('load'), top('load'))).toThrow(/itself/);
    expect(() => connect(ORDERS, top('load'), inEach('note'))).toThrow(/same loop/);
  });

  it('`disconnect` removes a dependency in `needs`, but refuses to remove a dependency through an expression', () => {
    expect(nodeAt(disconnect(ORDERS, top('each'), top('report')), top('report'))).not.toHaveProperty('needs');
    expect(() => disconnect(ORDERS, top('load'), top('each'))).toThrow(/Change the expression/);
  });
});

describe('moveNode', () => {
  it('`moveNode` moves a node into a loop and out of it without changing its id', () => {
    const { definition, address } = moveNode(ORDERS, top('report'), 'each');
    expect(address).toEqual(inEach('report'));
    expect(nodeAt(definition, address)).not.toHaveProperty('needs');
    const back = moveNode(definition, address, null);
    expect(back.definition.nodes.map(({ id }) => id)).toEqual(['load', 'each', 'report']);
  });
});

describe('copyNodes and pasteNodes', () => {
  it('`pasteNodes` gives copied nodes new ids, and updates references between the copies', () => {
    const copied = copyNodes(ORDERS, [top('load'), top('report')]);
    const { definition, addresses } = pasteNodes(ORDERS, null, copied);
    expect(addresses).toEqual([top('load_2'), top('report_2')]);
    const report = nodeAt(definition, top('report_2'));
    expect(report?.if).toBe('size(nodes["load_2"].output.body) > 0');
    expect(report?.needs).toEqual(['each']);
  });

  it('`pasteNodes` keeps the id of a pasted node if the id is free, and drops dependencies on missing nodes', () => {
    const { definition } = pasteNodes({ nodes: [] }, null, '{"id":"a","type":"set","needs":["z"]}');
    expect(definition.nodes).toEqual([{ id: 'a', type: 'set', needs: [] }]);
  });

  it.each(['', 'text', '[]', '{"id":1}', '[{"id":"a"}]'])(
    '`pasteNodes` refuses the text %j, which contains no node',
    (text) => {
      expect(() => pasteNodes(ORDERS, null, text)).toThrow(EditError);
    },
  );
});

it('`addressesOf` lists a loop before the nodes in the loop', () => {
  expect(addressesOf(ORDERS, new Set(['foreach']))).toEqual([
    top('load'),
    top('each'),
    inEach('charge'),
    inEach('note'),
    top('report'),
  ]);
});
