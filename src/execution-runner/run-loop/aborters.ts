import type { ExecutionState, RunOrder } from '../../engine/index.js';

/** What stops attempts: all of them when the run ends, those inside of a loop when that is over. */
export class Aborters {
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

  /** Aborts what still runs inside of loops that are over. */
  leaveLoops(state: ExecutionState): void {
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
