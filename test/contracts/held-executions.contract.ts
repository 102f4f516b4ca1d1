import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelled, fold } from '../../src/engine/index.js';
import type { JournalEvent } from '../../src/execution-events/index.js';
import { type Execution, HANDED_OVER, LeaseLostError } from '../../src/execution-store/index.js';
import { JournalFullError } from '../../src/journal/index.js';
import { newExecution, queued } from '../support/execution-store.js';
import type { HeldExecutionStore } from '../support/held-executions.js';

export interface HeldExecutionsHarness {
  readonly store: HeldExecutionStore;
  /** Stores an execution with its first event. The owner of its lease is `OWNER`, and the epoch of its lease is 1. */
  readonly insert: (execution: Execution, events: readonly JournalEvent[]) => Promise<void>;
  readonly stored: (id: string) => Promise<Execution>;
  /** Gives the lease of the execution to another process, and increments the epoch of the lease. */
  readonly takeOver: (id: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const OWNER = '01a00000-0000-7000-8000-000000000001';
const LATER = '2031-01-01T00:00:00.000Z';

/**
 * Tests of the operations that only the holder of a lease may perform. Each store of executions must pass these tests.
 */
export function heldExecutionsContract(name: string, open: () => Promise<HeldExecutionsHarness>): void {
  describe(`HeldExecutions ${name}`, () => {
    let harness: HeldExecutionsHarness;
    let held: Execution;

    beforeEach(async () => {
      harness = await open();
      const fresh = newExecution({ lease: { owner: OWNER, epoch: 1 } });
      held = { ...fresh, progress: { ...fresh.progress, lastSequence: 1 } };
      await harness.insert(held, [queued(null)]);
    });

    afterEach(() => harness.close());

    const end = (): JournalEvent => cancelled(0, fold([queued(null)]), Date.now(), 'Enough.');

    it('the execution store appends events of the lease holder, and updates the status of the execution', async () => {
      const after = await harness.store.advance(held, [end()], true);
      expect(after).toMatchObject({
        progress: { status: 'cancelled', lastSequence: 2 },
        lease: { owner: null },
      });
      expect(after.bytes).toBeGreaterThan(0);
      expect((await harness.stored(held.id)).progress).toMatchObject({
        status: 'cancelled',
        lastSequence: 2,
      });
    });

    it('the execution store refuses events from a process that lost the lease of the execution', async () => {
      await harness.takeOver(held.id);
      await expect(harness.store.advance(held, [end()], true)).rejects.toThrow(LeaseLostError);
      expect((await harness.stored(held.id)).progress.lastSequence).toBe(1);
    });

    it('the execution store refuses events that do not directly follow the last stored event', async () => {
      const ahead = { ...held, progress: { ...held.progress, lastSequence: 2 } };
      await expect(harness.store.advance(ahead, [end()], true)).rejects.toThrow(LeaseLostError);
    });

    it('the execution store refuses events for an execution that has ended', async () => {
      const ended = await harness.store.advance(held, [end()], false);
      await expect(harness.store.advance(ended, [end()], true)).rejects.toThrow(LeaseLostError);
    });

    it('the execution store refuses events that exceed the remaining bytes of the execution', async () => {
      await expect(harness.store.advance(held, [end()], true, undefined, 3)).rejects.toThrow(
        JournalFullError,
      );
      expect((await harness.stored(held.id)).progress.lastSequence).toBe(1);
    });

    it('the execution store releases a lease without adding an event', async () => {
      const after = await harness.store.release(held, LATER, []);
      for (const { progress, lease } of [after, await harness.stored(held.id)])
        expect([lease, progress.runnableAt, progress.lastSequence]).toEqual([
          { owner: null, epoch: 1 },
          LATER,
          1,
        ]);
    });

    it('the execution store refuses to release a lease after another process has claimed the execution', async () => {
      await harness.takeOver(held.id);
      await expect(harness.store.release(held, LATER, [])).rejects.toThrow(LeaseLostError);
    });

    it('the method `handBack` of the execution store releases a lease and records the given reason', async () => {
      await harness.store.handBack(held, LATER, HANDED_OVER);
      const { progress, lease } = await harness.stored(held.id);
      expect([lease.owner, progress.statusReason, progress.runnableAt]).toEqual([null, HANDED_OVER, LATER]);
    });

    it('the method `handBack` of the execution store does not release a lease that another process holds', async () => {
      await harness.takeOver(held.id);
      await harness.store.handBack(held, LATER, HANDED_OVER);
      const { lease, progress } = await harness.stored(held.id);
      expect([lease.epoch, lease.owner === null, progress.statusReason]).toEqual([2, false, null]);
    });
  });
}
