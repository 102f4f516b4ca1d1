import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type {
  OfferedStart,
  StartFate,
  StartOffers,
} from '../../src/execution-runner/dispatch/start-offers.js';
import { NOT_STARTED } from '../../src/execution-store/execution.js';
import { newId } from '../../src/platform/index.js';
import { newExecution } from '../support/execution-store.js';

/** A process that only answers, and those that run. */
export interface StartOffersHarness {
  readonly offers: StartOffers;
  /** Makes another process, which takes nothing yet. */
  readonly another: () => Promise<StartOffers>;
}

/** A start, of which every part is to arrive. */
export function offeredStart(input: string): OfferedStart {
  const id = newId();
  return {
    execution: newExecution({
      id,
      workflowVersion: 3,
      sessionId: newId(),
      trigger: { type: 'api', id: newId() },
      input: { text: input, '': [null, 1e-7, 'ü\u2028'] },
      metadata: { made: 'here' },
      priority: 2,
      progress: { ...NOT_STARTED, nodesTotal: 4, runnableAt: new Date().toISOString() },
    }),
    revision: 7,
    claim: {
      row: { id, requestHash: 'hash', status: 201, headers: { a: 'b' }, body: '{}', createdAt: 'now' },
      since: 'then',
    },
  };
}

/** Takes what comes, or leaves it. */
export class Taker {
  readonly taken: OfferedStart[] = [];
  hasRoom = true;

  readonly take = async (start: OfferedStart): Promise<StartFate> => {
    if (!this.hasRoom) return 'full';
    this.taken.push(start);
    return 'taken';
  };
}

/** Offers until somebody is there: it is found out while starts come. */
export async function offered(offers: StartOffers, input: string): Promise<[OfferedStart, boolean]> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const start = offeredStart(input);
    const isTaken = offers.offer(start);
    if (isTaken !== null) return [start, await isTaken];
    await pause(20);
  }
  throw new Error('Nobody was ever there to take it.');
}

/** What every `StartOffers` between processes promises (`src/execution-runner/dispatch/start-offers.ts`). */
export function startOffersContract(open: () => Promise<StartOffersHarness>): void {
  it('brings a start whole to one of those that run, once', async () => {
    const { offers, another } = await open();
    const takers = [new Taker(), new Taker()];
    for (const { take } of takers) await (await another()).listen(take);
    await offered(offers, 'first of all');
    // A second one may come to be there after the first.
    await pause(1_100);
    for (const { taken } of takers) taken.length = 0;
    const starts: OfferedStart[] = [];
    for (let n = 0; n < 20; n += 1) {
      const [start, isTaken] = await offered(offers, `number ${n}`);
      expect(isTaken).toBe(true);
      starts.push(start);
    }
    // Each has its share, the one as the other.
    for (const { taken } of takers) expect(taken.length).toBeGreaterThan(2);
    const taken = takers.flatMap((taker) => taker.taken);
    const byId = (a: OfferedStart, b: OfferedStart): number => (a.execution.id < b.execution.id ? -1 : 1);
    expect(taken.toSorted(byId)).toEqual(starts.toSorted(byId));
  });

  it('tells of each of many at once what became of it', async () => {
    const { offers, another } = await open();
    const odd = async ({ execution }: OfferedStart): Promise<StartFate> =>
      execution.metadata['n'] === 'odd' ? 'taken' : 'refused';
    await (await another()).listen(odd);
    await offered(offers, 'first');
    await pause(100);
    const kinds = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? 'even' : 'odd'));
    const answers = kinds.map((n) => {
      const start = offeredStart(n);
      return offers.offer({ ...start, execution: { ...start.execution, metadata: { n } } });
    });
    expect(await Promise.all(answers.map(async (answer) => answer))).toEqual(kinds.map((n) => n === 'odd'));
  });

  it('gives back what there is no room for, and goes on when there is', async () => {
    const { offers, another } = await open();
    const taker = new Taker();
    await (await another()).listen(taker.take);
    taker.hasRoom = false;
    expect((await offered(offers, 'too much'))[1]).toBe(false);
    taker.hasRoom = true;
    const [start, isTaken] = await offered(offers, 'again');
    expect(isTaken).toBe(true);
    expect(taker.taken).toEqual([start]);
  });

  it('gives back what nobody says anything of', async () => {
    const { offers, another } = await open();
    await (await another()).listen(() => new Promise(() => undefined));
    expect((await offered(offers, 'into the void'))[1]).toBe(false);
    // Nor is it offered more at once.
    expect(offers.offer(offeredStart('more'))).toBeNull();
  });

  it('finds nobody where none is left, and those who come', async () => {
    const { offers, another } = await open();
    const leaving = await another();
    await leaving.listen(new Taker().take);
    await offered(offers, 'first');
    await leaving.leave();
    let isThere = true;
    for (let tries = 0; isThere && tries < 500; tries += 1) {
      const isTaken = offers.offer(offeredStart('to nobody'));
      if (isTaken !== null) expect(await isTaken).toBe(false);
      isThere = isTaken !== null;
    }
    expect(isThere).toBe(false);
    const coming = new Taker();
    await (await another()).listen(coming.take);
    expect((await offered(offers, 'to the next'))[1]).toBe(true);
    expect(coming.taken).toHaveLength(1);
  });
}
