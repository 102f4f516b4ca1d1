/** A turn of the event loop that takes less is short. */
const SHORT_MS = 2;

/** Turns in a row without activity: one turn accepts a single connection, however many wait. */
const CALM_TURNS = 3;

/** Without activity for this long: who was just answered may connect anew. */
const CALM_MS = 25;

/** After this long, the turns without activity are enough. */
const PATIENCE_MS = 1_000;

/** After this long, any moment will do. */
const LIMIT_MS = 3_000;

/**
 * Resolves right after a short turn of the event loop in which nobody connected, when hardly anybody will.
 * @param activity connections that were accepted and answers that were sent so far
 */
export async function calmMoment(activity: () => number): Promise<void> {
  const start = performance.now();
  let [before, known, calmSince, calmTurns] = [start, activity(), start, 0];
  for (;;) {
    // Resolves after what was ready has been handled, a new connection included.
    await new Promise((resolve) => setImmediate(resolve));
    const now = performance.now();
    if (activity() === known) calmTurns += 1;
    else [known, calmSince, calmTurns] = [activity(), now, 0];
    const isLate = now - start >= PATIENCE_MS;
    const isCalm = calmTurns >= CALM_TURNS && (isLate || now - calmSince >= CALM_MS);
    if ((isCalm && (isLate || now - before < SHORT_MS)) || now - start >= LIMIT_MS) return;
    before = now;
  }
}
