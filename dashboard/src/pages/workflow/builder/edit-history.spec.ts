import { describe, expect, it } from 'vitest';
import { edited, historyOf, redone, settled, undone } from './edit-history.ts';

describe('the edit history', () => {
  it('undo and redo in the edit history revert or repeat one edit at a time', () => {
    const after = edited(edited(historyOf('a'), 'b', null), 'c', null);
    expect(undone(after).present).toBe('b');
    expect(undone(undone(undone(after))).present).toBe('a');
    expect(redone(undone(after)).present).toBe('c');
    expect(redone(after)).toBe(after);
  });

  it('undo in the edit history reverts all edits of one group together', () => {
    const typed = ['ab', 'abc', 'abcd'].reduce((h, text) => edited(h, text, 'name'), historyOf('a'));
    expect(undone(typed).present).toBe('a');
  });

  it('undo in the edit history reverts only the edits after a call of `settled`, even if earlier edits have the same group name', () => {
    const typed = edited(settled(edited(historyOf('a'), 'ab', 'name')), 'abc', 'name');
    expect(undone(typed).present).toBe('ab');
  });

  it('a new edit removes the undone edits from the edit history', () => {
    const other = edited(undone(edited(historyOf('a'), 'b', null)), 'c', null);
    expect(redone(other).present).toBe('c');
  });

  it('the edit history ignores an edit that changes nothing', () => {
    expect(edited(historyOf('a'), 'a', null).past).toEqual([]);
  });
});
