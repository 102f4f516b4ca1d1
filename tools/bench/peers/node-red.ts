/**
 * Benchmarks Node-RED. Node-RED keeps executions only in memory, so the benchmark W4, which needs a durable backlog,
 * omits it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/private-servers.mjs';
import { startWithAddress } from '../server-process.ts';
import type { Contender, Running } from './contender.ts';
import { callsOf } from './driven.ts';
import { versionOf } from './installed.ts';
import { LIGHT_STEPS } from './work.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

export function nodeRed(): Contender {
  return {
    name: 'Node-RED',
    version: versionOf('node-red'),
    durable: 'no: it stores nothing',
    ours: false,
    start,
  };
}

async function start(): Promise<Running> {
  const directory = mkdtempSync(join(tmpdir(), 'workflow-bench-node-red-'));
  const port = await freePort();
  const settings = join(directory, 'settings.cjs');
  const flows = join(directory, 'flows.json');
  writeFileSync(flows, JSON.stringify([{ id: 'bench', type: 'tab', label: 'bench' }, ...nodes()]));
  writeFileSync(
    settings,
    `module.exports = ${JSON.stringify({
      uiHost: '127.0.0.1',
      uiPort: port,
      httpAdminRoot: false,
      credentialSecret: false,
      telemetry: { enabled: false, updateNotification: false },
      logging: { console: { level: 'error', metrics: false, audit: false } },
    })};\n`,
  );
  const url = `http://127.0.0.1:${port}`;
  const { pid, stop } = await startWithAddress({
    program: process.execPath,
    args: [
      fileURLToPath(import.meta.resolve('node-red/red.js')),
      '--settings',
      settings,
      '--userDir',
      directory,
      flows,
    ],
    directory,
    answers: async () =>
      (await fetch(`${url}/three`, { method: 'POST', body: '{"n":1}', headers: JSON_TYPE })).ok,
  });
  return {
    ...callsOf(url, (name) => `/${name}`),
    leave: null,
    completed: () => Promise.resolve(0),
    pids: [pid],
    stop: async () => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Returns the flows of the benchmark. The flows use function nodes, because these need less CPU time than other
 * Node-RED nodes.
 */
function nodes(): readonly object[] {
  const light = (index: number): string => `msg.payload = msg.n + ${index};`;
  const indices = Array.from({ length: LIGHT_STEPS }, (_, index) => index);
  return [
    ...entrance('three', ['a']),
    func('a', 'msg.payload = msg.payload.n + 1; return msg;', ['b']),
    func('b', 'msg.payload = msg.payload * 2; return msg;', ['c']),
    // Node-RED does not encode strings as JSON in responses, so this function node encodes them.
    func('c', 'msg.payload = JSON.stringify("result " + msg.payload); return msg;', ['three_answer']),
    answer('three'),
    ...entrance('chain', ['chain_begin']),
    func('chain_begin', 'msg.n = msg.payload.n; msg.outputs = []; return msg;', ['chain_0']),
    ...indices.map((index) =>
      func(`chain_${index}`, `${light(index)} msg.outputs.push(msg.payload); return msg;`, [
        index + 1 < LIGHT_STEPS ? `chain_${index + 1}` : 'chain_end',
      ]),
    ),
    func('chain_end', 'msg.payload = msg.outputs; return msg;', ['chain_answer']),
    answer('chain'),
    ...entrance('parallel', ['parallel_begin']),
    func(
      'parallel_begin',
      'msg.n = msg.payload.n; return msg;',
      indices.map((index) => `parallel_${index}`),
    ),
    ...indices.map((index) => func(`parallel_${index}`, `${light(index)} return msg;`, ['parallel_join'])),
    {
      ...node('parallel_join', 'join', ['parallel_answer']),
      mode: 'custom',
      build: 'array',
      property: 'payload',
      propertyType: 'msg',
      count: String(LIGHT_STEPS),
    },
    answer('parallel'),
  ];
}

function entrance(name: string, next: readonly string[]): readonly object[] {
  return [{ ...node(`${name}_in`, 'http in', next), url: `/${name}`, method: 'post', upload: false }];
}

function answer(name: string): object {
  return { ...node(`${name}_answer`, 'http response', []), statusCode: '200', headers: JSON_TYPE };
}

function func(id: string, code: string, next: readonly string[]): object {
  return { ...node(id, 'function', next), func: code, outputs: 1, timeout: 0, noerr: 0, libs: [] };
}

function node(id: string, type: string, next: readonly string[]): object {
  return { id, type, z: 'bench', x: 0, y: 0, wires: next.length === 0 ? [] : [next] };
}
