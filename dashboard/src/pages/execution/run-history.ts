import type { WorkflowEvent } from '../../api/index.ts';
import { fold, NOTHING, type RunState } from './run-state.ts';

/** A state is kept every so many events. */
const STEP = 250;

/** What a run was after any of its events, without going through all of them each time. */
export class RunHistory {
  private readonly kept: RunState[] = [NOTHING];

  /** @param events all that are known, the first `sequence` of which are looked at */
  at(events: readonly WorkflowEvent[], sequence: number): RunState {
    const place = Math.floor(Math.min(sequence, events.length) / STEP);
    while (this.kept.length <= place) {
      const last = this.kept.length - 1;
      this.kept.push(fold(this.kept[last] ?? NOTHING, events.slice(last * STEP, (last + 1) * STEP)));
    }
    return fold(this.kept[place] ?? NOTHING, events.slice(place * STEP, sequence));
  }
}
