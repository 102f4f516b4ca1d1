import type { WorkflowEvent } from '../../api/index.ts';
import { fold, INITIAL_RUN_STATE, type RunState } from './run-state.ts';

/** Number of events between two stored states of an execution. */
const STEP = 250;

/** Computes the state of an execution after any event, from the nearest earlier state that is stored. */
export class RunHistory {
  private readonly kept: RunState[] = [INITIAL_RUN_STATE];

  /**
   * @param events all known events; the state covers the first `sequence` of them
   */
  at(events: readonly WorkflowEvent[], sequence: number): RunState {
    const place = Math.floor(Math.min(sequence, events.length) / STEP);
    while (this.kept.length <= place) {
      const last = this.kept.length - 1;
      this.kept.push(
        fold(this.kept[last] ?? INITIAL_RUN_STATE, events.slice(last * STEP, (last + 1) * STEP)),
      );
    }
    return fold(this.kept[place] ?? INITIAL_RUN_STATE, events.slice(place * STEP, sequence));
  }
}
