import { describe, expect, it } from 'vitest';
import { edited, historyOf, redone, settled, undone } from './edit-history.ts';

describe('the edit history', () => {
  it('the edit history undoes and redoes single edits', () => {
    const after = edited(edited(historyOf('a'), 'b', null), 'c', null);
    expect(undone(after).present).toBe('b');
    expect(undone(undone(undone(after))).present).toBe('a');
    expect(redone(undone(after)).present).toBe('c');
    expect(redone(after)).toBe(after);
  });

  it('the edit history undoes all edits of one group together', () => {
    const typed = ['ab', 'abc', 'abcd'].reduce((h, text) => edited(h, text, 'name'), historyOf('a'));
    expect(undone(typed).present).toBe('a');
  });

  it('the edit history puts an edit into a new group if the previous group was closed', () => {
    const typed = edited(settled(edited(historyOf('a'), 'ab', 'name')), 'abc', 'name');
    expect(undone(typed).present).toBe('ab');
  });

  it('the edit history discards undone edits when the user makes a new edit', () => {
    const other = edited(undone(edited(historyOf('a'), 'b', null)), 'c', null);
    expect(redone(other).present).toBe('c');
  });

  it('the edit history ignores an edit that changes nothing', () => {
    expect(edited(historyOf('a'), 'a', null).past).toEqual([]);
  });
});
