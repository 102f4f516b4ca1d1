import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Batch } from '../journal/index.js';
import { newId } from '../platform/index.js';
import { lastSeen, lossOf } from './seen-events.js';

const folder = mkdtempSync(join(tmpdir(), 'workflow-seen-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(...lines: readonly string[]): string {
  const path = join(folder, `${newId()}.jsonl`);
  writeFileSync(path, lines.join('\n'));
  return path;
}

describe('lastSeen', () => {
  it('`lastSeen` returns the last event of each execution in a file, even if the lines of the file are out of order', async () => {
    const event = (execution: string, sequence: number, id?: string): string =>
      JSON.stringify({ type: 'workflow.started', execution_id: execution, sequence, id });
    const seen = await lastSeen(fileOf(event('a', 2, 'second'), event('b', 1), '', event('a', 1, 'first')));
    expect([...seen]).toEqual([
      ['a', { sequence: 2, id: 'second' }],
      ['b', { sequence: 1, id: null }],
    ]);
  });

  it.each([
    ['{"execution_id":"a"}', /line 2: The event must have "execution_id" and a "sequence"/],
    ['{"execution_id":"a","sequence":0}', /line 2: The event must have/],
    ['null', /line 2: The event must have/],
    ['workflow.started a', /line 2: The line must be an event in JSON/],
  ])('`lastSeen` refuses a file with the line %s', async (line, message) => {
    const path = fileOf('{"execution_id":"a","sequence":1}', line);
    await expect(lastSeen(path)).rejects.toThrow(message);
  });

  it('`lastSeen` refuses a file that does not exist', async () => {
    await expect(lastSeen(join(folder, 'none'))).rejects.toThrow(/none cannot be read: .*ENOENT/);
  });
});

describe('lossOf', () => {
  const executionId = newId();
  const at = Date.UTC(2030, 0, 1);
  const event = { type: 'workflow.node.started', nodeId: 'a', attempt: 1, at, data: {} };
  const batch = {
    id: newId(),
    executionId,
    projectId: newId(),
    workflowId: newId(),
    sessionId: null,
    position: 7,
    firstSequence: 2,
    events: [event, event],
  } as unknown as Batch;
  /** A fake journal that contains only events 2 and 3 of one execution. */
  const journal = {
    ofExecution: (id: string, after: number) =>
      Promise.resolve({ batches: id === executionId && after < 3 ? [batch] : [], hasMore: false }),
  };
  const loss = (sequence: number, id: string | null, execution = executionId): Promise<string | null> =>
    lossOf(journal, execution, { sequence, id });

  it('`lossOf` reports no loss for an event that the journal contains, whether or not the event id is known', async () => {
    expect([await loss(2, batch.id), await loss(3, null)]).toEqual([null, null]);
  });

  it('`lossOf` reports an unknown execution, a sequence number after the end of the journal, and a different event id', async () => {
    expect(await loss(1, null, newId())).toBe('lost: the database does not contain this execution');
    expect(await loss(4, null)).toBe('lost: its journal ends before event 4');
    const other = newId();
    expect(await loss(2, other)).toBe(`lost: event 2 is ${batch.id} now, and was ${other}`);
  });
});
