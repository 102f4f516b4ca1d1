/** Maximum milliseconds of a short turn of the event loop. */
const SHORT_MS = 2;

/** Required number of consecutive turns without activity. Each turn accepts only one waiting connection. */
const CALM_TURNS = 3;

/** Required milliseconds without activity. A client may open its next connection soon after a response. */
const CALM_MS = 25;

/** Milliseconds after which `CALM_TURNS` alone suffice. */
const PATIENCE_MS = 1_000;

const LIMIT_MS = 3_000;

/**
 * Resolves in a moment without traffic, when a new connection is unlikely. Resolves after 3 s in any case.
 *
 * @param activity returns the number of accepted connections and sent responses so far
 */
export async function calmMoment(activity: () => number): Promise<void> {
  const start = performance.now();
  let [before, known, calmSince, calmTurns] = [start, activity(), start, 0];
  for (;;) {
    // Pending work may include the acceptance of a new connection.
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
