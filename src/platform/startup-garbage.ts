/**
 * Gives back the memory that a start needed and that nothing holds any more, a third of the process. An idle
 * thread would keep it: V8 collects when something is allocated, not when nothing is. A runtime that was built without
 * an inspector keeps it.
 */
export async function collectStartupGarbage(): Promise<void> {
  try {
    const { Session } = await import('node:inspector/promises');
    const session = new Session();
    session.connect();
    await session.post('HeapProfiler.collectGarbage');
    session.disconnect();
  } catch {
    // It is memory, and no fault.
  }
}
