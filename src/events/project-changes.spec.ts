import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Principal } from '../access/index.js';
import { ProjectChanges, type ProjectReader } from './project-changes.js';

const PRINCIPAL = { teamId: 'team', projectId: null } as Principal;

class Reader implements ProjectReader {
  readonly principal = PRINCIPAL;
  constructor(readonly projectIds: string[]) {}

  addProjects(projectIds: readonly string[]): void {
    this.projectIds.push(...projectIds);
  }

  removeProjects(projectIds: readonly string[]): void {
    for (const id of projectIds) this.projectIds.splice(this.projectIds.indexOf(id), 1);
  }
}

let projects: string[];
let epoch: number;
/** A query for projects waits for this promise, so that tests can delay the query. */
let gate: Promise<void>;
let readers: Set<Reader>;
let changes: ProjectChanges;

beforeEach(() => {
  vi.useFakeTimers();
  projects = ['first'];
  epoch = 1;
  gate = Promise.resolve();
  readers = new Set();
  const reachable = async (): Promise<readonly { readonly id: string }[]> => {
    const found = projects.map((id) => ({ id }));
    await gate;
    return found;
  };
  changes = new ProjectChanges({ reachable }, { current: async () => epoch }, readers);
});

afterEach(async () => {
  await changes.stop();
  vi.useRealTimers();
});

function connect(): Promise<Reader> {
  return changes.connect(PRINCIPAL, (reach) => {
    const reader = new Reader([...reach]);
    readers.add(reader);
    return reader;
  });
}

it('a connected client can read the events of a project that is created after the client connected', async () => {
  const reader = await connect();
  projects.push('second');
  epoch = 2;
  await vi.advanceTimersByTimeAsync(500);
  expect(reader.projectIds).toEqual(['first', 'second']);
});

it('a connected client can no longer read the events of a project that is deleted after the client connected', async () => {
  const reader = await connect();
  projects = [];
  epoch = 2;
  await vi.advanceTimersByTimeAsync(500);
  expect(reader.projectIds).toEqual([]);
});

it('a client that connects while a project is created can read the events of this project', async () => {
  await connect();
  await vi.advanceTimersByTimeAsync(500);
  const hold = Promise.withResolvers<void>();
  gate = hold.promise;
  const connecting = connect();
  gate = Promise.resolve();
  projects.push('second');
  epoch = 2;
  await vi.advanceTimersByTimeAsync(500);
  hold.resolve();
  expect((await connecting).projectIds).toEqual(['first', 'second']);
});

it('a connected client keeps its list of projects while the access epoch is unchanged', async () => {
  const reader = await connect();
  await vi.advanceTimersByTimeAsync(500);
  projects.push('second');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reader.projectIds).toEqual(['first']);
});
