import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PluginFolder } from '../support/plugin-folder.js';
import { ServiceProcess } from '../support/service-process.js';
import { SpawnedProgram } from '../support/spawned-program.js';

interface Made {
  readonly id: string;
}

interface NodeTypes {
  readonly data: readonly { readonly type: string; readonly source: string }[];
}

describe('the example plug-in', () => {
  let folder: string;
  let example: PluginFolder;
  let service: ServiceProcess | undefined;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'workflow-plugin-'));
    example = PluginFolder.copy('examples/plugins/text-tools', join(folder, 'text-tools'));
    example.compile();
  });
  afterEach(async () => {
    await service?.dispose();
    service = undefined;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('the example plug-in with node types passes lint and its own tests', () => {
    example.lint();
    example.test();
  });

  it('the service runs a plug-in that is listed by path and has no node_modules folder', async () => {
    const alone = join(folder, 'alone');
    cpSync(example.path, alone, { recursive: true, filter: (path) => !path.includes('node_modules') });
    service = new ServiceProcess({ WORKFLOW_PLUGINS: alone });
    await service.start();
    const { data } = await service.call<NodeTypes>('GET', '/v1/node-types?limit=100');
    expect(
      data.filter(({ source }) => source !== 'workflow-service').map(({ type, source }) => [type, source]),
    ).toEqual([
      ['text.read_aloud', 'text-tools'],
      ['text.slug', 'text-tools'],
    ]);
    const faulty = { nodes: [{ id: 'slug', type: 'text.slug', with: { text: 'a', seperator: '+' } }] };
    expect(await service.call('POST', '/v1/workflows/validate', { name: 'x', ...faulty })).toMatchObject({
      valid: false,
      errors: [{ field: 'nodes[0].with.seperator' }],
    });
    const { id } = await service.call<{ id: string }>('POST', '/v1/workflows', {
      name: 'texts',
      nodes: [
        { id: 'slug', type: 'text.slug', with: { text: '{{ input.title }}' } },
        {
          id: 'read',
          type: 'text.read_aloud',
          with: { text: '{{ nodes.slug.output }}', words_per_minute: 600 },
        },
      ],
      output: { slug: '{{ nodes.slug.output }}', words: '{{ nodes.read.output.words }}' },
    });
    const execution = await service.call('POST', `/v1/workflows/${id}/execute?wait=60`, {
      input: { title: 'Größe & Gewicht' },
    });
    expect(execution).toMatchObject({
      status: 'completed',
      output: { slug: 'groesse-gewicht', words: 1 },
    });
    expect(await service.terminate()).toBe(0);
  });
});

describe('plug-ins', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'workflow-plugins-'));
  });
  afterEach(() => {
    SpawnedProgram.killAll();
    rmSync(directory, { recursive: true, force: true });
  });

  /**
   * Writes a package below the working directory. `code` is the source of the entry file, or null for no entry file.
   */
  function write(path: string, code: string | null, manifest: object | string = {}): void {
    const folder = join(directory, path);
    mkdirSync(folder, { recursive: true });
    const text =
      typeof manifest === 'string'
        ? manifest
        : JSON.stringify({ name: path, type: 'module', exports: './entry.js', ...manifest });
    writeFileSync(join(folder, 'package.json'), text);
    if (code !== null) writeFileSync(join(folder, 'entry.js'), code);
  }

  /** Source code of a plug-in with one node type. */
  function typeNamed(name: string, injected = ''): string {
    return `import { definePlugin, Inject, NodeType, output } from 'workflow-service/node';
      class Missing {}
      class MadeNode { run() { return output(null); } }
      ${injected}
      NodeType({ type: '${name}', version: 1, title: 'Made', description: 'Made.',
        schema: { type: 'object' }, outputSchema: {}, capabilities: {} })(MadeNode);
      export const plugin = definePlugin({ apiVersion: 1, nodeTypes: [MadeNode] });`;
  }

  function start(...plugins: readonly string[]): SpawnedProgram {
    return new SpawnedProgram('dist/src/main.js', directory, {
      PORT: '0',
      WORKFLOW_PLUGINS: plugins.join(','),
    });
  }

  it('the service finds a plug-in by package name in node_modules of the working directory', async () => {
    write('node_modules/@acme/nodes', typeNamed('acme.made'), {
      name: '@acme/nodes',
      exports: { '.': { types: './entry.d.ts', import: './entry.js' } },
      peerDependencies: { 'workflow-service': '^1.0.0' },
    });
    await start('@acme/nodes').prints(/ready in/);
  });

  it('a plug-in can import the class `WebSocket` from `node:http`', async () => {
    write(
      'sockets',
      `import { WebSocket } from 'node:http';\n${typeNamed(`sockets`)}\nnew WebSocket('ws:');`,
    );
    const program = start('./sockets');
    expect(await program.ended).toMatchObject({ code: 2 });
    // The constructor of `WebSocket` throws this error, which proves that the import of the class succeeded.
    expect(program.err).toContain('Invalid URL');
  });

  it('the service exits and reports all unusable plug-ins together, each with the remedy', async () => {
    write('nothing', null, '{');
    write('nameless', null, { name: 1 });
    write('unbuilt', null);
    write('newer', '', { peerDependencies: { 'workflow-service': '>=2' } });
    write('vague', '', { engines: { 'workflow-service': 'soon' } });
    write('throws', 'throw new TypeError("no luck")');
    write('bare', 'export const other = 1;');
    write('later', 'export const plugin = { apiVersion: 2, nodeTypes: [] };');
    write('empty', 'export const plugin = { apiVersion: 1, nodeTypes: [] };');
    write('plain', 'export const plugin = { apiVersion: 1, nodeTypes: [class Plain {}] };');
    write('fine', typeNamed('fine'));
    writeFileSync(join(directory, 'file.js'), '');
    const given = [
      'nothing',
      'nameless',
      'unbuilt',
      'newer',
      'vague',
      'throws',
      'bare',
      'later',
      'empty',
      'plain',
    ];
    const program = start(
      ...given.map((name) => `./${name}`),
      '@acme/absent',
      './absent',
      './file.js',
      './fine',
      join(directory, 'fine'),
    );
    expect(await program.ended).toEqual({ code: 2, signal: null });
    expect(program.out).toBe('');
    const told = program.err.trimEnd().split('\n');
    expect(
      told.map((line) => line.replace(/^WORKFLOW_PLUGINS: the plug-in /, '').replaceAll(directory, '')),
    ).toEqual([
      expect.stringMatching(/^"\.\/nothing" has a package\.json that is not JSON: .+\.$/),
      expect.stringMatching(/^"\.\/nameless" has an invalid package\.json: name .+\.$/),
      '"./unbuilt" has no file /unbuilt/entry.js, which its package.json names. Build the plug-in and restart the service.',
      expect.stringMatching(
        /^"\.\/newer" requires workflow-service >=2, but this service is \d.*\. Install a compatible version of the plug-in\.$/,
      ),
      '"./vague" requires workflow-service "soon", which is not a valid version range. Correct its package.json.',
      '"./throws" cannot be loaded (TypeError: no luck). Fix the plug-in, or remove it from the setting.',
      '"./bare" does not export "plugin". Write "export const plugin = definePlugin({ ... })", with definePlugin from workflow-service/node.',
      '"./later" uses version 2 of the plug-in API, but this service has version 1. Install a compatible version of the plug-in.',
      '"./empty" exports an invalid "plugin": has neither "nodeTypes" nor "modules".',
      '"./plain" lists the class Plain, which has no @NodeType decorator. Add the decorator.',
      '"@acme/absent" is not installed. Run "npm install @acme/absent" in the working directory of the service, or start a path with "./".',
      '"./absent" does not exist (/absent). Correct the path.',
      '"./file.js" is a file. Use the folder that contains the package.json of the plug-in.',
      '"/fine" is the package fine, which is already listed. List it only once.',
    ]);
  });

  it.each([
    [
      'provides a type that already exists',
      typeNamed('set'),
      'The node type class MadeNode of the plug-in "odd" cannot be registered: the type "set" is already used by the class SetNode. Fix the plug-in, or remove it from WORKFLOW_PLUGINS.\n',
    ],
    [
      'injects a token without a provider',
      typeNamed('odd', 'Inject(Missing)(MadeNode, undefined, 0);'),
      'Nest can\'t resolve dependencies of the MadeNode (?). Please make sure that the argument Missing at index [0] is available in the plug-in "odd" module. Add it to "providers" in the plug-in\'s definePlugin.\n',
    ],
  ])('the service does not start with a plug-in that %s', async (_, code, err) => {
    write('odd', code);
    const program = start('./odd');
    expect(await program.ended).toEqual({ code: 2, signal: null });
    expect(program.err).toBe(err);
  });

  it('an execution waits while a plug-in that it needs is missing, and the explain endpoint names the node type', async () => {
    write('mine', typeNamed('acme.made'));
    const service = new ServiceProcess({ WORKFLOW_PLUGINS: join(directory, 'mine') });
    const call = <T extends object>(method: string, path: string, body?: object): Promise<T> =>
      service.call<T>(method, path, body);
    const until = async (id: string, status: string): Promise<object> => {
      for (let tries = 1; ; tries += 1) {
        const execution = await call<{ status: string }>('GET', `/v1/executions/${id}`);
        if (execution.status === status) return execution;
        if (tries === 1_000) throw new Error(`The execution is not ${status}: ${JSON.stringify(execution)}`);
        await pause(50);
      }
    };
    const nodes = [
      { id: 'asked', type: 'wait', with: { signal: 'go' } },
      { id: 'made', type: 'acme.made', needs: ['asked'] },
    ];
    try {
      await service.start();
      const { id: workflowId } = await call<Made>('POST', '/v1/workflows', { name: 'x', nodes });
      const { id: hurried } = await call<Made>('POST', '/v1/workflows', {
        name: 'y',
        nodes,
        config: { timeout_seconds: 10 },
      });
      const execute = (workflow: string): Promise<Made> =>
        call('POST', `/v1/workflows/${workflow}/executions`);
      const [asleep, unwanted, late] = [
        await execute(workflowId),
        await execute(workflowId),
        await execute(hurried),
      ];
      for (const { id } of [asleep, unwanted, late]) await until(id, 'waiting');
      expect(await service.terminate()).toBe(0);
      write('mine', typeNamed('acme.other'));
      await service.start();
      await call('POST', `/v1/executions/${asleep.id}/signals/go`);
      await until(late.id, 'timed_out');
      expect(await call('GET', `/v1/executions/${asleep.id}/explain`)).toMatchObject({
        cause: 'workflow_unavailable',
        message: expect.stringContaining('There is no node type "acme.made"'),
        holder: null,
        frees: { how: expect.stringContaining('plug-in') },
      });
      expect(await call('GET', `/v1/executions/${asleep.id}/nodes`)).toMatchObject({
        data: [
          { node_id: 'asked', status: 'waiting' },
          { node_id: 'made', type: 'acme.made', status: 'pending' },
        ],
      });
      await expect(execute(workflowId)).rejects.toThrow(/returned 409.*workflow_unavailable/s);
      expect(await call('POST', `/v1/executions/${unwanted.id}/cancel`)).toMatchObject({
        status: 'cancelled',
      });
      expect(await service.terminate()).toBe(0);
      write('mine', typeNamed('acme.made'));
      await service.start();
      await call('POST', `/v1/executions/${asleep.id}/signals/again`);
      await until(asleep.id, 'completed');
    } finally {
      await service.dispose();
    }
  });
});
