import type { ExecutionState, RunOrder } from '../../engine/index.ts';

/**
 * Abort controllers for the attempts of a run: one for each loop, and one for the attempts outside of loops. The
 * controller of a loop aborts when the loop ends.
 */
export class AbortControllers {
  private readonly whole = new AbortController();
  private readonly loops = new Map<string, AbortController>();

  signalFor({ iteration }: RunOrder): AbortSignal {
    if (iteration === null) return this.whole.signal;
    const loopId = iteration.of.id;
    const known = this.loops.get(loopId);
    if (known !== undefined) return known.signal;
    const controller = new AbortController();
    this.loops.set(loopId, controller);
    return controller.signal;
  }

  /** Aborts the attempts inside loops that have ended. */
  abortEndedLoops(state: ExecutionState): void {
    for (const [id, controller] of this.loops) {
      if ((state.nodes.get(id)?.loop ?? null) !== null) continue;
      controller.abort();
      this.loops.delete(id);
    }
  }

  abort(): void {
    for (const controller of [this.whole, ...this.loops.values()]) controller.abort();
  }
}
