import { describe, expect, it } from 'vitest';
import { findDeadlock, withDeadlock } from './deadlock.js';
import type { ExplainedNode } from './explained-node.js';
import type { Explanation } from './explanation-facts.js';

const explained = (own: Partial<Explanation>): Explanation => ({
  cause: 'timer',
  message: 'It waits.',
  since: '2030-01-01T00:00:00.000Z',
  holder: null,
  frees: null,
  details: {},
  nodes: [],
  ...own,
});
const waitsForSlots = (...holders: readonly string[]): Explanation =>
  explained({ cause: 'max_running', details: { holders } });
const waitsForSession = (id: string): Explanation =>
  explained({ cause: 'serial_session', holder: { type: 'execution', id } });
const node = (id: string | null): ExplainedNode => ({
  nodeId: 'n',
  status: 'waiting',
  attempt: 1,
  since: null,
  waitingFor: id === null ? 'timer' : 'child',
  wakeAt: null,
  isApproval: false,
  details: id === null ? {} : { child_execution_id: id },
});
const waitsForChildren = (...ids: readonly (string | null)[]): Explanation =>
  explained({ cause: 'child', nodes: ids.map(node) });
const TIMER = explained({});

/**
 * Searches for a deadlock that starts at execution `a`. Returns the ids in the deadlock, and the ids of the executions
 * that the search read.
 */
async function search(
  all: Readonly<Record<string, Explanation>>,
): Promise<{ readonly ids: readonly string[] | null; readonly read: readonly string[] }> {
  const read: string[] = [];
  const ids = await findDeadlock('a', all['a'] ?? TIMER, (id) => {
    read.push(id);
    return Promise.resolve(all[id] ?? TIMER);
  });
  return { ids, read };
}

describe('findDeadlock', () => {
  it.each<[string, Readonly<Record<string, Explanation>>, readonly string[]]>([
    [
      'two executions that hold each other’s slot',
      { a: waitsForSlots('b'), b: waitsForSlots('a') },
      ['a', 'b'],
    ],
    ['an execution that waits for its own slot', { a: waitsForSlots('a') }, ['a']],
    [
      'a parent whose child waits for the parent’s slot',
      { a: waitsForChildren('b'), b: waitsForSlots('a') },
      ['a', 'b'],
    ],
    [
      'an execution that waits for a slot, a session and a child in a row',
      { a: waitsForSlots('b'), b: waitsForSession('c'), c: waitsForChildren('a') },
      ['a', 'b', 'c'],
    ],
    [
      'an execution that waits for a deadlock without being part of it',
      { a: waitsForSession('b'), b: waitsForSlots('c'), c: waitsForSlots('b') },
      ['a', 'b', 'c'],
    ],
  ])('`findDeadlock` finds the deadlock of %s', async (_what, all, ids) => {
    expect((await search(all)).ids).toEqual(ids);
  });

  it.each<[string, Readonly<Record<string, Explanation>>]>([
    [
      'one of the slot holders waits until a given time',
      { a: waitsForSlots('b', 'c'), b: waitsForSlots('a') },
    ],
    ['a second node of the parent waits until a given time', { a: waitsForChildren('a', null) }],
    ['no slot holder is known', { a: waitsForSlots() }],
    ['the first execution waits until a given time', { a: TIMER }],
  ])('`findDeadlock` finds no deadlock if %s', async (_what, all) => {
    expect((await search(all)).ids).toBeNull();
  });

  it('`findDeadlock` reads each execution once, even if several executions wait for it', async () => {
    const all = { a: waitsForSlots('b', 'c'), b: waitsForSlots('a', 'c'), c: waitsForSlots('a', 'b') };
    expect((await search(all)).read).toEqual(['b', 'c']);
  });

  it.each([
    [50, true],
    [51, false],
  ])(
    'with a limit of 50 executions, `findDeadlock` finds a deadlock of %i executions: %s',
    async (count, isFound) => {
      const ids = Array.from({ length: count }, (_, index) => (index === 0 ? 'a' : `e${index}`));
      const all = Object.fromEntries(ids.map((id, index) => [id, waitsForSession(ids[index + 1] ?? 'a')]));
      expect((await search(all)).ids !== null).toBe(isFound);
    },
  );

  it('`withDeadlock` adds a deadlock to the explanation of an execution, and keeps the deadline and other details', () => {
    const at = '2030-01-02T00:00:00.000Z';
    const before = { ...waitsForSlots('b'), frees: { how: 'A slot.', at } };
    expect(withDeadlock(before, ['a', 'b'])).toMatchObject({
      cause: 'max_running',
      message: expect.stringMatching(/^It waits\. .+/) as string,
      frees: { how: expect.stringContaining('Cancel one') as string, at },
      details: { holders: ['b'], circle: ['a', 'b'] },
    });
  });
});
