import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newExecution } from '../../test/support/execution-store.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import type { Gates } from '../admission/index.js';
import { DEFAULT_CONFIG } from '../engine/index.js';
import type { Execution } from '../execution-store/index.js';
import type { Workflow } from '../workflows/index.js';
import { Admission, type EnteredPlace } from './admission.js';

const START = Date.UTC(2030, 0, 1);
const SECOND = 1_000;
const WORKFLOW: Gates = { workflowId: 'w', sessionId: null };
const SESSION: Gates = { workflowId: null, sessionId: 's' };
const BOTH: Gates = { workflowId: 'w', sessionId: 's' };

const at = (ms: number): string => new Date(START + ms).toISOString();

interface Place extends Gates {
  readonly executionId: string;
  readonly dueAt: string;
  slot: number | null;
}

class World {
  readonly clock = new ManualClock(START);
  places: Place[] = [];
  /** `max_running` of the workflow. Null means that the workflow has no limit. */
  cap: number | null = 1;
  isDeleted = false;
  wakes = 0;
  /** Number of times that the admission polled for executions to admit. */
  looks = 0;
  refusals = 0;
  tries = 0;
  error: Error | null = null;
  gate: Promise<void> = Promise.resolve();
  left: (execution: Execution) => void = () => undefined;

  readonly admission = new Admission(
    {
      line: async ({ workflowId, sessionId }, now) => ({
        taken: this.taken(workflowId),
        isWaitedFor: this.due(now).some((place) => workflowId !== null && place.workflowId === workflowId),
        isBehind: this.places.some((place) => sessionId !== null && place.sessionId === sessionId),
      }),
      entering: ({ executionId, slot }) => ({ sql: 'enter', parameters: [executionId, slot] }),
      taken: async (workflowId) => {
        await this.gate;
        return this.taken(workflowId);
      },
      ofWorkflow: async (workflowId, now, limit) =>
        this.due(now)
          .filter((place) => place.workflowId === workflowId)
          .slice(0, limit),
      ofSession: async (sessionId, now) => {
        const isBusy = this.places.some((place) => place.sessionId === sessionId && place.slot !== null);
        return isBusy ? undefined : this.due(now).find((place) => place.sessionId === sessionId);
      },
      admit: async (executionId, slot) => {
        this.tries += 1;
        const place = this.places.find((one) => one.executionId === executionId);
        const isRefused = this.refusals > 0;
        if (isRefused) this.refusals -= 1;
        if (isRefused || place === undefined || this.taken(place.workflowId).includes(slot)) return false;
        place.slot = slot;
        return true;
      },
      waitedFor: async (now) => {
        this.looks += 1;
        const { error } = this;
        this.error = null;
        if (error !== null) throw error;
        const waiting = this.due(now);
        return {
          workflowIds: [...new Set(waiting.flatMap(({ workflowId }) => workflowId ?? []))],
          sessionIds: [
            ...new Set(
              waiting.flatMap(({ workflowId, sessionId }) =>
                workflowId === null && sessionId !== null ? [sessionId] : [],
              ),
            ),
          ],
        };
      },
      nextDueAt: async (now) =>
        this.places
          .filter(({ slot, dueAt }) => slot === null && dueAt > now)
          .map(({ dueAt }) => dueAt)
          .toSorted()[0] ?? null,
    },
    { find: async (id) => (this.isDeleted ? undefined : workflowOf(id, this.cap)) },
    { wake: () => void (this.wakes += 1) },
    this.clock,
    { onSlotReleased: (listener) => (this.left = listener) },
  );

  /**
   * Adds an execution for each letter of `names`, with the letter as its id. The executions wait for admission unless
   * `own` contains a slot.
   */
  add(gates: Gates, names: string, own: Partial<Place> = {}): void {
    for (const executionId of names)
      this.places.push({ executionId, ...gates, dueAt: at(0), slot: null, ...own });
  }

  async end(name: string): Promise<void> {
    const place = this.places.find(({ executionId }) => executionId === name);
    this.places = this.places.filter((one) => one !== place);
    this.left(newExecution({ workflowId: 'w', sessionId: place?.sessionId ?? null }));
    await endOfTurn();
  }

  get admitted(): string {
    return this.places
      .filter(({ slot }) => slot !== null)
      .map(({ executionId }) => executionId)
      .join('');
  }

  enter(gates: Gates, dueAt = at(0), waits = false): Promise<EnteredPlace> {
    return this.admission.enter(newExecution({ id: 'new' }), gates, dueAt, waits);
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await vi.advanceTimersByTimeAsync(ms);
    await endOfTurn();
  }

  private due(now: string): readonly Place[] {
    return this.places.filter(({ slot, dueAt }) => slot === null && dueAt <= now);
  }

  private taken(workflowId: string | null): readonly number[] {
    return this.places.flatMap((place) =>
      workflowId !== null && place.workflowId === workflowId && place.slot !== null ? [place.slot] : [],
    );
  }
}

function workflowOf(id: string, maxRunning: number | null): Workflow {
  return {
    id,
    projectId: 'p',
    name: id,
    description: '',
    status: 'active',
    version: 1,
    revision: 1,
    definition: { nodes: [], config: { ...DEFAULT_CONFIG, max_running: maxRunning } },
    tags: [],
    createdAt: at(0),
    updatedAt: at(0),
  };
}

let world: World;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  world = new World();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('Admission.enter', () => {
  const slotOf = ({ write }: EnteredPlace): unknown => ('parameters' in write ? write.parameters[1] : null);

  it('`Admission.enter` gives a new execution the lowest free slot', async () => {
    world.cap = 3;
    world.add(WORKFLOW, 'a', { slot: 0 });
    world.add(WORKFLOW, 'b', { slot: 2 });
    const place = await world.enter(WORKFLOW);
    expect([slotOf(place), place.isAdmitted, place.parked]).toEqual([1, true, null]);
  });

  it.each<[string, Gates, () => void, string]>([
    ['all slots are taken', WORKFLOW, () => world.add(WORKFLOW, 'a', { slot: 0 }), 'max_running'],
    ['another execution waits for a free slot', WORKFLOW, () => world.add(WORKFLOW, 'a'), 'max_running'],
    ['an earlier execution of its session runs', SESSION, () => world.add(SESSION, 'a'), 'serial_session'],
    [
      'an earlier execution of its session runs, although a slot is free',
      BOTH,
      () => world.add(SESSION, 'a'),
      'serial_session',
    ],
  ])(
    '`Admission.enter` makes a new execution wait for admission when %s',
    async (_, gates, arrange, parked) => {
      arrange();
      const place = await world.enter(gates);
      expect([slotOf(place), place.isAdmitted, place.parked]).toEqual([null, false, parked]);
    },
  );

  it.each<[string, string, boolean]>([
    ['it is scheduled for later', at(1), false],
    ['other executions took the slot too often', at(0), true],
  ])(
    '`Admission.enter` neither gives a slot to a new execution nor marks it as waiting for admission when %s',
    async (_, dueAt, waits) => {
      const place = await world.enter(WORKFLOW, dueAt, waits);
      expect([slotOf(place), place.isAdmitted, place.parked]).toEqual([null, false, null]);
    },
  );

  it.each([
    ['max_running was removed', () => (world.cap = null)],
    ['the workflow was deleted meanwhile', () => (world.isDeleted = true)],
  ])('`Admission.enter` gives a new execution a slot when %s', async (_, arrange) => {
    arrange();
    world.add(WORKFLOW, 'a', { slot: 0 });
    expect(slotOf(await world.enter(WORKFLOW))).toBe(1);
  });
});

describe('Admission when an execution ends', () => {
  it('the end of an execution admits the next queued execution of its workflow', async () => {
    world.add(WORKFLOW, 'a', { slot: 0 });
    world.add(WORKFLOW, 'bc');
    await world.end('a');
    expect([world.admitted, world.wakes]).toEqual(['b', 1]);
  });

  it('the end of an execution admits queued executions to all free slots, including the slots of a raised `max_running`', async () => {
    world.cap = 3;
    world.add(WORKFLOW, 'a', { slot: 0 });
    world.add(WORKFLOW, 'bcde');
    await world.end('a');
    expect(world.admitted).toBe('bcd');
  });

  it('the end of an execution admits no execution while more executions run than a lowered `max_running` allows', async () => {
    for (const slot of [0, 1, 2]) world.add(WORKFLOW, String(slot), { slot });
    world.add(WORKFLOW, 'x');
    await world.end('0');
    await world.end('1');
    expect([world.admitted, world.wakes]).toEqual(['2', 0]);
    await world.end('2');
    expect(world.admitted).toBe('x');
  });

  it('the end of an execution admits all queued executions of its workflow after `max_running` was removed', async () => {
    world.cap = null;
    world.add(WORKFLOW, 'a', { slot: 0 });
    world.add(WORKFLOW, Array.from({ length: 120 }, (_, n) => String.fromCharCode(0x4e00 + n)).join(''));
    await world.end('a');
    expect([world.admitted.length, world.wakes]).toEqual([120, 3]);
  });

  it('concurrent ends of two executions admit a queued execution only once', async () => {
    const gate = Promise.withResolvers<void>();
    world.gate = gate.promise;
    world.add(WORKFLOW, 'ab', { slot: 0 });
    world.add(WORKFLOW, 'c');
    await world.end('a');
    await world.end('b');
    gate.resolve();
    await endOfTurn();
    expect([world.admitted, world.tries]).toEqual(['c', 1]);
  });

  it('the end of an execution does not wake the dispatcher when the queue is empty', async () => {
    await world.end('a');
    expect([world.tries, world.wakes]).toEqual([0, 0]);
  });

  it('the end of an execution admits the next execution of the same serial session', async () => {
    world.add(SESSION, 'a', { slot: 0 });
    world.add(SESSION, 'bc');
    await world.end('a');
    expect([world.admitted, world.wakes]).toEqual(['b', 1]);
  });

  it('the next execution of a session is not admitted while the workflow of this execution has reached `max_running`', async () => {
    // Execution `a` got slot 1 while `max_running` was higher. With `max_running` lowered to 1, `a` fills the workflow,
    // although slot 0 is free.
    world.add(WORKFLOW, 'a', { slot: 1 });
    world.add(SESSION, 'b', { slot: 0 });
    world.add(BOTH, 'c');
    await world.end('b');
    expect(world.admitted).toBe('a');
    await world.end('a');
    expect(world.admitted).toBe('c');
  });
});

describe('Admission when another process takes the slot first', () => {
  it('an admission tries the next free slot of a workflow if another process took a slot first', async () => {
    world.add(WORKFLOW, 'b');
    world.refusals = 3;
    await world.end('a');
    expect([world.admitted, world.tries]).toEqual(['b', 4]);
  });

  it('a queued execution waits for the next admission poll after losing 20 slots to other processes', async () => {
    world.admission.onApplicationBootstrap();
    world.add(WORKFLOW, 'b');
    world.refusals = 20;
    await world.end('a');
    expect([world.admitted, world.tries]).toEqual(['', 20]);
    await world.pass(SECOND);
    expect([world.admitted, world.tries]).toEqual(['b', 21]);
  });
});

describe('Admission.entered', () => {
  it('`Admission.entered` admits a due execution immediately if a slot has become free', async () => {
    world.add(WORKFLOW, 'b');
    world.admission.entered(WORKFLOW, at(0));
    await endOfTurn();
    expect([world.admitted, world.wakes]).toEqual(['b', 1]);
  });

  it('`Admission.entered` admits an execution when it becomes due', async () => {
    world.add(WORKFLOW, 'b', { dueAt: at(3 * SECOND) });
    world.admission.entered(WORKFLOW, at(3 * SECOND));
    await world.pass(3 * SECOND - 1);
    expect(world.looks).toBe(0);
    await world.pass(1);
    expect(world.admitted).toBe('b');
  });

  it('`Admission.entered` can make the next poll earlier but not later', async () => {
    world.add(WORKFLOW, 'b', { dueAt: at(2 * SECOND) });
    world.admission.entered(WORKFLOW, at(2 * SECOND));
    world.admission.entered(WORKFLOW, at(4 * SECOND));
    await world.pass(2 * SECOND);
    expect(world.admitted).toBe('b');
  });
});

describe('Admission polls', () => {
  beforeEach(() => world.admission.onApplicationBootstrap());

  it('Admission polls one second after the start and then every five seconds', async () => {
    await world.pass(SECOND - 1);
    expect(world.looks).toBe(0);
    await world.pass(1);
    expect(world.looks).toBe(1);
    await world.pass(5 * SECOND - 1);
    expect(world.looks).toBe(1);
    await world.pass(1);
    expect(world.looks).toBe(2);
  });

  it('an admission poll admits an execution if the process that freed the slot died before the admission', async () => {
    world.add(WORKFLOW, 'ab');
    world.add(SESSION, 'cd');
    await world.pass(SECOND);
    expect(world.admitted).toBe('ac');
  });

  it('Admission polls again when the next queued execution becomes due', async () => {
    world.add(WORKFLOW, 'a', { dueAt: at(3 * SECOND) });
    await world.pass(SECOND);
    await world.pass(2 * SECOND);
    expect(world.admitted).toBe('a');
  });

  it('Admission continues to poll after the database was unavailable', async () => {
    const logged = vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    world.error = new Error('The database is unavailable.');
    world.add(WORKFLOW, 'a');
    await world.pass(SECOND);
    expect([world.admitted, logged.mock.calls.length]).toEqual(['', 1]);
    await world.pass(5 * SECOND);
    expect(world.admitted).toBe('a');
  });
});

describe('Admission at shutdown', () => {
  it('a shutdown waits for the current admission and starts no further admission', async () => {
    const gate = Promise.withResolvers<void>();
    world.gate = gate.promise;
    world.admission.onApplicationBootstrap();
    world.add(WORKFLOW, 'b');
    world.add(SESSION, 'c', { slot: 0 });
    world.add(SESSION, 's');
    await world.end('a');
    // The end of `c` starts a second admission, which waits until the admission for the end of `a` is done.
    await world.end('c');
    let hasStopped = false;
    const stopped = world.admission.beforeApplicationShutdown().then(() => (hasStopped = true));
    await endOfTurn();
    expect(hasStopped).toBe(false);
    gate.resolve();
    await stopped;
    const { tries } = world;
    await world.end('d');
    await world.pass(60 * SECOND);
    expect([world.looks, world.tries, world.admitted]).toEqual([0, tries, 'b']);
  });
});
