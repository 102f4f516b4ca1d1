import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelled, newExecution, queued, started } from '../../test/support/execution-store.js';
import { StoreWorld } from '../../test/support/store-world.js';
import type { Execution } from './execution.js';
import { type ExecutionFault, ExecutionVerification } from './execution-verification.js';

describe('ExecutionVerification', () => {
  let world: StoreWorld;
  let verification: ExecutionVerification;
  let running: Execution;
  let ended: Execution;

  beforeEach(async () => {
    world = await StoreWorld.open();
    const { slowQueries, journalRepository, executions } = world.store;
    verification = new ExecutionVerification(slowQueries, journalRepository);
    [running, ended] = [newExecution({}), newExecution({})];
    await executions.insert(running, [queued(null)], []);
    await executions.advance(running, [started()], false);
    await executions.insert(ended, [queued(null)], []);
    await executions.forceAppend(ended, [cancelled()]);
  });
  afterEach(() => world.close());

  async function faults(): Promise<readonly ExecutionFault[]> {
    const found: ExecutionFault[] = [];
    const { executions, faults: count } = await verification.verify((fault) => found.push(fault));
    expect([executions, count]).toEqual([2, found.length]);
    return found;
  }

  it('`verify` finds no mismatch when rows and journals agree', async () => {
    expect(await faults()).toEqual([]);
  });

  it.each([
    [
      "UPDATE executions SET status = 'completed' WHERE id = ?",
      /the status of the row is completed, that of the journal is cancelled/,
    ],
    ['UPDATE executions SET last_sequence = 3 WHERE id = ?', /its journal ends at event 2 of 3/],
    ['UPDATE executions SET nodes_completed = 7 WHERE id = ?', /counts 7 completed nodes, the journal has 0/],
    [
      "UPDATE executions SET finished_at = '2020-01-01T00:00:00.000Z' WHERE id = ?",
      /the end times of the row and the journal differ/,
    ],
    ['DELETE FROM journal WHERE execution_id = ? AND first_sequence = 2', /its journal ends at event 1 of 2/],
    ['DELETE FROM journal WHERE execution_id = ? AND first_sequence = 1', /event 0 is followed by .* at 2/],
  ])(
    '`verify` reports the difference between the row and the journal of an execution after %s',
    async (sql, reason) => {
      await world.rows(sql, ended.id);
      expect(await faults()).toEqual([{ executionId: ended.id, reason: expect.stringMatching(reason) }]);
    },
  );
});
