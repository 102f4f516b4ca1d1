/** A turn of the event loop up to this many milliseconds is short. */
const SHORT_MS = 2;

/**
 * Required number of consecutive turns of the event loop without activity. One turn is not enough, because it accepts
 * only one connection even if several wait.
 */
const CALM_TURNS = 3;

/**
 * Required milliseconds without activity. A client that just received a response may open another connection within
 * this time.
 */
const CALM_MS = 25;

/** Milliseconds after which only `CALM_TURNS` are required, and no longer `CALM_MS` or a short turn. */
const PATIENCE_MS = 1_000;

/** Milliseconds after which the wait ends in any case. */
const LIMIT_MS = 3_000;

/**
 * Resolves in a moment without traffic: after several turns of the event loop without a new connection or response, the
 * last of which was short. A new connection is then unlikely.
 * @param activity returns the number of accepted connections and sent responses so far
 */
export async function calmMoment(activity: () => number): Promise<void> {
  const start = performance.now();
  let [before, known, calmSince, calmTurns] = [start, activity(), start, 0];
  for (;;) {
    // Continues after pending work was done, including the acceptance of a new connection.
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
