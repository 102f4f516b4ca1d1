const FIRST_MS = 500;
const STEP_MS = 100;
const STEPS = 25;

/** Milliseconds after which the client of an index comes back; spread, so that not all come at once. */
export function reconnectDelay(index: number): number {
  return FIRST_MS + (index % STEPS) * STEP_MS;
}
