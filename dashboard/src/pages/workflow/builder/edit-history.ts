/** The undo history of the JSON text of a workflow. The graph and the JSON editor share this history. */
export interface EditHistory {
  readonly past: readonly string[];
  readonly present: string;
  readonly future: readonly string[];
  /** Group of the last edit, or null. Consecutive edits of the same group are undone together. */
  readonly group: string | null;
}

const MOST_STATES = 200;

export function historyOf(text: string): EditHistory {
  return { past: [], present: text, future: [], group: null };
}

/**
 * @param group consecutive edits with the same group, such as typed letters, are undone together; null for an edit that
 * is undone separately
 */
export function edited(history: EditHistory, text: string, group: string | null): EditHistory {
  if (text === history.present) return history;
  if (group !== null && group === history.group) return { ...history, present: text, future: [] };
  return {
    past: [...history.past, history.present].slice(-MOST_STATES),
    present: text,
    future: [],
    group,
  };
}

export function undone(history: EditHistory): EditHistory {
  const previous = history.past.at(-1);
  if (previous === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: previous,
    future: [history.present, ...history.future],
    group: null,
  };
}

export function redone(history: EditHistory): EditHistory {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future, group: null };
}

/** Ends the group of the last edit, so that the next edit is undone separately. */
export function settled(history: EditHistory): EditHistory {
  return history.group === null ? history : { ...history, group: null };
}
