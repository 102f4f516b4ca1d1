import { beforeEach, describe, expect, it } from 'vitest';
import { newExecution, queued, started } from '../../../test/support/execution-store.js';
import { CALLER, compiledOf } from '../../../test/support/executions-fakes.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { type Execution, ExecutionNotFoundError, NOT_STARTED } from '../../execution-store/index.js';
import { CrashQuarantine } from '../../execution-runner/index.js';
import { PlanUnavailableError } from '../../workflows/index.js';
import { Explanations } from './explanations.js';
import type { QueuePosition } from './queue-position.js';

const NOW = Date.UTC(2030, 0, 1);
const BEFORE = '2029-12-31T00:00:00.000Z';

/** Creates an execution that waits for a slot under `max_running` of its workflow. */
const parked = (id: string): Execution =>
  newExecution({
    id,
    createdAt: BEFORE,
    admission: 'parked',
    progress: { ...NOT_STARTED, runnableAt: BEFORE },
  });
const behind = (...slotHolders: readonly string[]): QueuePosition => ({
  dueAt: BEFORE,
  cap: 1,
  taken: slotHolders.length,
  slotHolders,
  before: [],
});

/** Simulated executions, with their journals and their positions in the admission queue. */
class World {
  readonly executions = new Map<string, Execution>();
  readonly places = new Map<string, QueuePosition>();
  /**
   * Numbers of events that the next reads of a journal return, in order. Reads after the end of this list return one
   * event.
   */
  journalLengths: number[] = [];
  reads = 0;
  planFailure: Error | null = null;
  endedAncestor: string | null = null;

  unfinishedDescendants = 0;

  readonly explanations = new Explanations(
    {
      read: (_caller, id) => {
        this.reads += 1;
        const execution = this.executions.get(id);
        if (execution === undefined) return Promise.reject(new ExecutionNotFoundError(id));
        return Promise.resolve(execution);
      },
    },
    {
      whole: () => Promise.resolve([queued(null), started()].slice(0, this.journalLengths.shift() ?? 1)),
    },
    {
      of: () =>
        this.planFailure === null ? Promise.resolve(compiledOf()) : Promise.reject(this.planFailure),
    },
    { of: (id) => Promise.resolve(this.places.get(id) ?? null) },
    { processes: () => Promise.resolve([]) },
    {
      descendants: () => Promise.resolve({ total: 3, unfinished: this.unfinishedDescendants }),
      endedAncestors: ([id = '']) =>
        Promise.resolve(new Map(this.endedAncestor === null ? [] : [[id, this.endedAncestor]])),
    },
    new CrashQuarantine(5, 2),
    { RUN_CONCURRENCY: 10 },
    new ManualClock(NOW),
    { isFull: false },
  );

  add(execution: Execution, place: QueuePosition | null = null): void {
    this.executions.set(execution.id, execution);
    if (place !== null) this.places.set(execution.id, place);
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('Explanations', () => {
  it('`Explanations` reads an execution again if its journal has more events than its database row says', async () => {
    world.add(parked('a'), behind('b'));
    world.add(newExecution({ id: 'b' }));
    world.journalLengths = [2, 2];
    expect((await world.explanations.of(CALLER, 'a')).explained.cause).toBe('max_running');
    // Execution `a` is read three times, and the execution that has the slot is read once.
    expect(world.reads).toBe(4);
  });

  it('`Explanations` explains an execution after five reads, even if the execution changes during each read', async () => {
    world.add(newExecution({ id: 'a' }));
    world.journalLengths = Array.from({ length: 50 }, () => 2);
    await world.explanations.of(CALLER, 'a');
    expect(world.reads).toBe(5);
  });

  it("the explanation names the deadlock of two executions that wait for each other's slot", async () => {
    world.add(parked('a'), behind('b'));
    world.add(parked('b'), behind('a'));
    expect((await world.explanations.of(CALLER, 'a')).explained.details).toMatchObject({
      circle: ['a', 'b'],
    });
  });

  it('the explanation names no deadlock when the execution that has the awaited slot can run', async () => {
    world.add(parked('a'), behind('b'));
    world.add(newExecution({ id: 'b', progress: { ...NOT_STARTED, runnableAt: BEFORE } }));
    expect((await world.explanations.of(CALLER, 'a')).explained.details).not.toHaveProperty('circle');
  });

  it('the explanation names the missing plug-in when the workflow does not compile', async () => {
    world.add(newExecution({ id: 'a', progress: { ...NOT_STARTED, runnableAt: BEFORE } }));
    world.planFailure = new PlanUnavailableError('The plug-in "mail" is missing.');
    expect((await world.explanations.of(CALLER, 'a')).explained).toMatchObject({
      cause: 'workflow_unavailable',
      message: expect.stringContaining('"mail"') as string,
    });
  });

  it('`Explanations` rejects with an unexpected error of the plan cache', async () => {
    world.add(newExecution({ id: 'a' }));
    world.planFailure = new Error('The database is away.');
    await expect(world.explanations.of(CALLER, 'a')).rejects.toBe(world.planFailure);
  });

  it('the explanation names the ended ancestor of a child execution', async () => {
    world.add(newExecution({ id: 'a', parentId: 'parent-1' }));
    world.endedAncestor = 'root-1';
    expect((await world.explanations.of(CALLER, 'a')).explained).toMatchObject({
      cause: 'ancestor_ended',
      holder: { id: 'root-1' },
    });
  });

  it.each([
    [2, { descendants: { total: 3, unfinished: 2 } }],
    [0, {}],
  ])(
    'the explanation of an ended execution with %i unfinished descendants has the details %o',
    async (unfinished, details) => {
      world.add(
        newExecution({ id: 'a', progress: { ...NOT_STARTED, status: 'completed', finishedAt: BEFORE } }),
      );
      world.unfinishedDescendants = unfinished;
      expect((await world.explanations.of(CALLER, 'a')).explained.details).toEqual(details);
    },
  );

  it('`Explanations` rejects with status 404 if the caller cannot read the execution', async () => {
    await expect(world.explanations.of(CALLER, 'a')).rejects.toMatchObject({ status: 404 });
  });
});
