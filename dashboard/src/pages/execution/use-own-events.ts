import { useMemo, useState } from 'react';
import type { WorkflowEvent } from '../../api/index.ts';
import { keyOf } from './run-state.ts';

class OwnEvents {
  private readonly own: WorkflowEvent[] = [];
  private seen = 0;
  private readonly key: string;

  constructor(key: string) {
    this.key = key;
  }

  upTo(events: readonly WorkflowEvent[], sequence: number): readonly WorkflowEvent[] {
    for (; this.seen < events.length; this.seen += 1) {
      const event = events[this.seen];
      if (event !== undefined && keyOf(event) === this.key) this.own.push(event);
    }
    const last = this.own.findLastIndex((event) => event.sequence <= sequence);
    return this.own.slice(0, last + 1);
  }
}

/**
 * Returns the events of one node, up to the given sequence number. The calling component needs a React `key`
 * per node, because the hook keeps the events of its first node.
 */
export function useOwnEvents(
  key: string,
  events: readonly WorkflowEvent[],
  sequence: number,
): readonly WorkflowEvent[] {
  const [own] = useState(() => new OwnEvents(key));
  return useMemo(() => own.upTo(events, sequence), [own, events, sequence]);
}
