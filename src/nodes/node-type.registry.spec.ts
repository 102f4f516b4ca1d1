import { describe, expect, it } from 'vitest';
import type { Fault, JsonObject } from '../expressions/index.js';
import {
  type NodeContext,
  type NodeResult,
  type NodeType as NodeTypeContract,
  type NodeTypeDescription,
  output,
} from '../node-contract/index.js';
import { NodeTypeRegistrationError } from './node-type.errors.js';
import { NodeTypeRegistry } from './node-type.registry.js';

class EchoNode implements NodeTypeContract {
  run(context: NodeContext): NodeResult {
    return output(context.with);
  }
}

const ECHO: NodeTypeDescription = {
  type: 'acme.echo-2_x',
  version: 1,
  title: 'Echo',
  description: 'Gives back what it is given.',
  schema: { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false },
  outputSchema: {},
  capabilities: { pure: true },
};

describe('NodeTypeRegistry', () => {
  it('the registry finds a registered node type by its name', () => {
    const registry = new NodeTypeRegistry();
    const handler = new EchoNode();
    registry.register(ECHO, handler);
    registry.register({ ...ECHO, type: 'a' }, handler);
    expect(registry.get('acme.echo-2_x')).toMatchObject({ description: ECHO, handler });
    expect(registry.list().map(({ description }) => description.type)).toEqual(['a', 'acme.echo-2_x']);
    expect([registry.has('a'), registry.has('b'), registry.get('b'), registry.find('b')]).toEqual([
      true,
      false,
      undefined,
      undefined,
    ]);
    expect(registry.has('constructor')).toBe(false);
  });

  it('the registry checks the parameters of a registered node type', () => {
    const registry = new NodeTypeRegistry();
    registry.register(ECHO, new EchoNode());
    expect(registry.names()).toEqual(['acme.echo-2_x']);
    expect(registry.find('acme.echo-2_x')!.checkDefinition({ text: 1 }, 'nodes[0].with')).toMatchObject([
      { path: 'nodes[0].with.text' },
    ]);
  });

  it('the `check` method of a node type runs only if the parameters match the schema', () => {
    class PickyNode extends EchoNode {
      check({ text }: JsonObject): readonly Fault[] {
        return text === 'no' ? [{ path: 'text', code: 'picky', message: 'Not that.' }] : [];
      }
    }
    const registry = new NodeTypeRegistry();
    registry.register(ECHO, new PickyNode());
    const check = (parameters: JsonObject) =>
      registry.find('acme.echo-2_x')!.checkDefinition(parameters, 'nodes[1].with');
    expect(check({ text: 'no' })).toEqual([
      { path: 'nodes[1].with.text', code: 'picky', message: 'Not that.' },
    ]);
    expect(check({ text: 'no', more: 1 }).map(({ code }) => code)).toEqual(['unknown_field']);
    expect(check({ text: 'yes' })).toEqual([]);
  });

  it.each<[string, Partial<NodeTypeDescription>, string]>([
    ['a name with capitals', { type: 'Echo' }, '"Echo" is not a valid type name'],
    ['a name that begins with a digit', { type: '1a' }, 'is not a valid type name'],
    ['a name with a slash', { type: 'a/b' }, 'is not a valid type name'],
    ['an empty name', { type: '' }, 'is not a valid type name'],
    ['a version below 1', { version: 0 }, 'must be a whole number from 1'],
    [
      'a schema with a misspelt keyword',
      { schema: { type: 'object', propertys: {} } },
      'its schema does not compile: strict mode: unknown keyword',
    ],
    ['a schema with a type that does not exist', { schema: { type: 'text' } }, 'its schema does not compile'],
    [
      'a schema that refers elsewhere',
      { schema: { $ref: 'https://example.com/x' } },
      "its schema does not compile: can't resolve reference",
    ],
    ['an invalid output schema', { outputSchema: { type: 1 } }, 'its outputSchema does not compile'],
  ])('the registry rejects a node type with %s and names the class', (_, change, reason) => {
    const registry = new NodeTypeRegistry();
    const register = () => registry.register({ ...ECHO, ...change }, new EchoNode());
    expect(register).toThrow(NodeTypeRegistrationError);
    expect(register).toThrow(`The node type class EchoNode cannot be registered: `);
    expect(register).toThrow(reason);
    expect(registry.list()).toEqual([]);
  });

  it('the registry compiles a schema at its first use if the registration says so', () => {
    const registry = new NodeTypeRegistry();
    registry.register({ ...ECHO, schema: { type: 'text' } }, new EchoNode(), { compile: 'on use' });
    expect(() => registry.find('acme.echo-2_x')!.checkDefinition({}, 'nodes[0].with')).toThrow(
      'type must be',
    );
  });

  it('the registry rejects a class if another class already uses the name of its node type', () => {
    class OtherNode extends EchoNode {}
    const registry = new NodeTypeRegistry();
    registry.register(ECHO, new EchoNode());
    expect(() => registry.register(ECHO, new OtherNode())).toThrow(
      'The node type class OtherNode cannot be registered: the type "acme.echo-2_x" is already used by the class EchoNode.',
    );
  });
});
