import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '../../src/access/index.js';
import { EventPages } from '../../src/events/event-pages.js';
import type { JournalEvent } from '../../src/execution-events/index.js';
import { decodeCursor, PayloadRepository, START } from '../../src/journal/index.js';
import { newId } from '../../src/platform/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionStore, nodeComplete } from '../support/execution-store.js';

const READER = { role: 'member', scopes: ['*'] } as unknown as Principal;

/** If the events of a page have at least this many characters, no further event is added to the page. */
const PAGE = 4 * 1024 * 1024;

/**
 * Error details of a million characters, which exceed the current limit. Earlier versions of the service stored such
 * details in full.
 */
const DETAILS = 'x'.repeat(1_000_000);

for (const kind of await databaseKinds())
  describe(`pages of events on ${kind.name}`, () => {
    let database: TestDatabase;
    let store: ExecutionStore;
    let pages: EventPages;
    const projectId = newId();
    let executionId: string;

    beforeAll(async () => {
      database = await kind.create();
      store = await ExecutionStore.open(database.settings);
      pages = new EventPages(
        store.journalRepository,
        new PayloadRepository(store.dataSource, database.settings.dialect),
      );
      await store.insert({ projectId });
      const owner = newId();
      const [held] = (await store.claims.claim(owner, new Date().toISOString(), 1)).executions;
      if (held === undefined) throw new Error('No execution was claimed.');
      executionId = held.id;
      let execution = held;
      for (let batch = 0; batch < 4; batch += 1) {
        const events = [0, 1, 2].map((n) => failed(`n${batch}-${n}`));
        execution = await store.executions.advance(execution, [...events, nodeComplete('a', 1)], false);
      }
    });

    afterAll(async () => {
      await store?.close();
      await database?.drop();
    });

    it("a page of an execution's events ends at 4 MiB, and the next page starts with the next event", async () => {
      const sequences: number[] = [];
      for (let read = 1; ; read += 1) {
        const texts = await pages.ofExecution(READER, executionId, sequences.length, 100);
        expect(lengthOf(texts)).toBeLessThan(PAGE + 2 * DETAILS.length);
        sequences.push(...texts.map((text) => (JSON.parse(text) as { sequence: number }).sequence));
        if (sequences.length === 17) break;
        expect(read).toBeLessThan(5);
      }
      expect(sequences).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
    });

    it('a page of an event feed ends at 4 MiB, and the next page continues at its cursor', async () => {
      const sequences: number[] = [];
      let after = START;
      for (let read = 1; ; read += 1) {
        const { texts, nextCursor, hasMore } = await pages.ofFeed(READER, {}, [projectId], after, 100);
        expect(lengthOf(texts)).toBeLessThan(PAGE + 2 * DETAILS.length);
        sequences.push(...texts.map((text) => (JSON.parse(text) as { sequence: number }).sequence));
        if (!hasMore) break;
        after = decodeCursor(nextCursor) ?? START;
        expect(read).toBeLessThan(6);
      }
      expect(sequences).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
    });
  });

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function failed(nodeId: string): JournalEvent {
  return {
    type: 'workflow.node.failed',
    at: Date.now(),
    nodeId,
    attempt: 1,
    data: {
      node_id: nodeId,
      node_type: 'http',
      status: 'failed',
      error: { code: 'http_status_error', message: 'Failed.', details: DETAILS },
      duration_ms: 1,
      continued: true,
      progress: { completed: 0, total: 1 },
    },
  };
}
