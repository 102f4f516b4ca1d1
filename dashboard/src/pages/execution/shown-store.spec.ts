import { describe, expect, it } from 'vitest';
import type { ShownNode } from './node-words.ts';
import { ShownStore } from './shown-store.ts';

const shown = (id: string): ShownNode => ({
  node: { id, type: 'set', name: id, maxAttempts: 1, needs: [], neededBy: [], body: [] },
  run: undefined,
  status: 'pending',
  itemsDone: 0,
});

describe('ShownStore', () => {
  it('`ShownStore` notifies only the listeners of nodes that have changed', () => {
    const [one, two] = [shown('one'), shown('two')];
    const store = new ShownStore();
    const notified: string[] = [];
    store.listen('one', () => notified.push('one'));
    const end = store.listen('two', () => notified.push('two'));
    store.show([one, two], null);
    expect(notified.splice(0)).toEqual(['one', 'two']);
    store.show([one, { ...two, itemsDone: 1 }], null);
    expect(notified.splice(0)).toEqual(['two']);
    expect(store.read('two')?.itemsDone).toBe(1);
    store.show([one, { ...two, itemsDone: 1 }], 'one');
    expect(notified.splice(0)).toEqual(['two', 'one']);
    expect(store.isSelected('one')).toBe(true);
    end();
    store.show([one, two], null);
    expect(notified).toEqual(['one']);
  });
});
