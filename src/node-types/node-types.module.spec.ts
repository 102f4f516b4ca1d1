import * as builtInTypes from './built-in-types.js';
import { NodeTypesModule } from './node-types.module.js';
import { Inject, Injectable, Module, Scope } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type NodeContext,
  type NodeResult,
  type NodeType as NodeTypeContract,
  output,
} from '../node-contract/index.js';
import { ClockModule } from '../platform/index.js';
import { ConfigModule, readSettings } from '../settings/index.js';
import { compileParameterSchema, nodeContext } from '../nodes/index.js';
import { NodeType } from '../nodes/index.js';
import { NodeTypeRegistrationError } from '../nodes/index.js';
import { NodeTypeRegistry } from '../nodes/index.js';
import { NodesModule } from '../nodes/index.js';

const shout = {
  type: 'acme.shout',
  version: 1,
  title: 'Shout',
  description: 'Says it louder.',
  schema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
  outputSchema: { type: 'string' },
  capabilities: { pure: true, cacheable: true },
} as const;

@Injectable()
class Loudness {
  readonly mark = '!';
}

@NodeType(shout)
class ShoutNode implements NodeTypeContract {
  constructor(@Inject(Loudness) private readonly loudness: Loudness) {}

  run({ with: { text } }: NodeContext<{ readonly text: string }>): NodeResult {
    return output(`${text.toUpperCase()}${this.loudness.mark}`);
  }
}

@Module({ providers: [Loudness, ShoutNode] })
class AcmeModule {}

let app: TestingModule | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function start(...plugins: readonly (new () => unknown)[]): Promise<NodeTypeRegistry> {
  const imports = [
    ConfigModule.forRoot(readSettings({})),
    ClockModule,
    NodesModule,
    NodeTypesModule,
    ...plugins,
  ];
  app = await Test.createTestingModule({ imports }).compile();
  await app.init();
  return app.get(NodeTypeRegistry);
}

describe('the built-in node types', () => {
  it('NodeTypesModule registers each built-in node type with its capabilities', async () => {
    const registry = await start();
    expect(registry.names()).toHaveLength(Object.keys(builtInTypes).length);
    const capabilities = new Map(
      registry.list().map(({ description }) => [description.type, description.capabilities]),
    );
    expect(capabilities.get('code')).toEqual({ pure: true, cacheable: true });
    expect(capabilities.get('http')).toEqual({ cacheableOnRequest: true });
    expect(capabilities.get('wait')).toEqual({ suspends: true });
    expect(capabilities.get('foreach')).toEqual({ iterates: true });
    expect(capabilities.get('workflow')).toEqual({ startsChildren: true });
  });

  it('the schemas of each built-in node type compile', async () => {
    const registry = await start();
    for (const { description } of registry.list()) {
      expect(() => compileParameterSchema(description.schema), description.type).not.toThrow();
      expect(() => compileParameterSchema(description.outputSchema), description.type).not.toThrow();
    }
  });

  it('the process does not start if the schema of a node type of another module does not compile', async () => {
    @NodeType({ ...shout, schema: { type: 'text' } })
    class MuteNode extends ShoutNode {}
    @Module({ providers: [Loudness, MuteNode] })
    class MuteModule {}
    await expect(start(MuteModule)).rejects.toThrow(
      /MuteNode cannot be registered: its schema does not compile/,
    );
  });

  it('NodeTypesModule registers a node type of another module and injects the providers of that module', async () => {
    const registry = await start(AcmeModule);
    const { handler, description, parameters } = registry.get('acme.shout')!;
    expect(description).toEqual(shout);
    expect(parameters.check({ text: 'hello' })).toEqual([]);
    expect(await handler.run(nodeContext({ text: 'hello' }))).toEqual({ kind: 'output', output: 'HELLO!' });
  });

  it('the process does not start if two classes declare the same node type', async () => {
    @NodeType({ ...shout, type: 'set' })
    class OtherSetNode extends ShoutNode {}
    @Module({ providers: [Loudness, OtherSetNode] })
    class OtherModule {}
    await expect(start(OtherModule)).rejects.toThrow(/type "set" is already/);
  });

  it('the process does not start if a node type is request-scoped', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest {}
    @NodeType({ ...shout, type: 'acme.fleeting' })
    class FleetingNode extends ShoutNode {
      constructor(
        @Inject(Loudness) loudness: Loudness,
        @Inject(PerRequest) readonly request: PerRequest,
      ) {
        super(loudness);
      }
    }
    @Module({ providers: [Loudness, PerRequest, FleetingNode] })
    class FleetingModule {}
    await expect(start(FleetingModule)).rejects.toThrow(NodeTypeRegistrationError);
  });
});
