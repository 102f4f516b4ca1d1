import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { planOf } from '../../../test/support/engine-plans.js';
import { newExecution, queued } from '../../../test/support/execution-store.js';
import { HeldExecutions } from '../../../test/support/held-executions.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import {
  fold,
  type Message,
  type NodeDefinition,
  type RunOrder,
  type WorkflowConfig,
} from '../../engine/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import {
  AncestorEndedError,
  type Execution,
  executionAfter,
  HANDED_OVER,
  HOLDER_LOST,
  NOT_STARTED,
} from '../../execution-store/index.js';
import type { Json } from '../../expressions/index.js';
import { type CompiledWorkflow, PlanUnavailableError } from '../../workflows/index.js';
import { RunMemory, RunValues } from '../../run-memory/index.js';
import { CrashQuarantine } from './crash-quarantine.js';
import type { RunnerOutcome } from './node-runner.js';
import { RunLoop } from './run-loop.js';
import { StateLoader } from './state-loader.js';

const START = Date.UTC(2030, 0, 1);
const OWNER = '01a00000-0000-7000-8000-000000000001';
const MAX_BYTES = 1024 * 1024;
const MAX_RECOVERIES = 3;
const EFFECT: readonly NodeDefinition[] = [{ id: 'a', type: 'effect' }];
const PURE: readonly NodeDefinition[] = [{ id: 'a', type: 'pure' }];

const output = (value: Json): RunnerOutcome => ({ kind: 'output', output: value, cached: false });
const at = (ms: number): string => new Date(START + ms).toISOString();

/** A process with one workflow, and fakes of the dependencies of its run loop. */
class World {
  readonly clock = new ManualClock(START);
  readonly store = new HeldExecutions();
  readonly memory = new RunMemory({ PROCESS_MAX_BYTES: MAX_BYTES });
  nodes: readonly NodeDefinition[] = PURE;
  config: Partial<WorkflowConfig> = {};
  planFailure: Error | null = null;
  /** Journal of every execution in the test. */
  journal: readonly JournalEvent[] = [queued(null)];
  messages: Message[] = [];
  /** True if every execution in the test has an ancestor that has ended. */
  isBelowEnded = false;
  sessionState: { readonly [name: string]: Json } | undefined;
  readonly log: string[] = [];
  /** Runs each attempt of a node. By default, the output of an attempt is the id of its node. */
  attempt: (order: RunOrder, signal: AbortSignal) => RunnerOutcome | Promise<RunnerOutcome> = ({ node }) =>
    output(node.id);

  readonly loop = new RunLoop(
    this.store,
    new StateLoader(
      { partsOfClaimed: (_id, length) => this.parts(length), sizeAfter: () => Promise.resolve(0) },
      {
        currentState: () => Promise.resolve(fold(this.journal)),
        find: () => Promise.resolve(undefined),
        write: () => null,
      },
      { storedBytes: () => Promise.resolve(0) },
    ),
    {
      of: () => {
        if (this.planFailure !== null) return Promise.reject(this.planFailure);
        return Promise.resolve(this.compiled);
      },
      nameOf: () => Promise.resolve('Test'),
    },
    {
      find: (id) => {
        this.log.push(`session ${id}`);
        return Promise.resolve(
          this.sessionState === undefined ? undefined : ({ state: this.sessionState } as never),
        );
      },
    },
    {
      read: () => Promise.resolve(this.messages.map((message) => ({ message, isSeen: false }))),
      empty: () => ({ sql: 'empty the inbox', parameters: [] }),
      notifyRunnable: () => this.log.push('runnable') as never,
      wakeIfUnseen: (id) => {
        this.log.push(`wake if unseen ${id}`);
        return Promise.resolve();
      },
    },
    {
      cancelBelowEnded: ({ id }) => {
        if (this.isBelowEnded) this.log.push(`cancelled below ended ${id}`);
        return Promise.resolve(this.isBelowEnded);
      },
      cancelChild: (id, reason) => {
        this.log.push(`cancel child ${id}: ${reason}`);
        return Promise.resolve();
      },
      endWrites: () => [{ sql: 'at the end', parameters: [] }],
      afterEnd: ({ id }) => {
        this.log.push(`after the end of ${id}`);
        return Promise.resolve();
      },
    },
    { run: (_execution, order, signal) => this.attempt(order, signal) },
    {
      adapter: {
        run: ({ id }) => {
          this.log.push(`result cache for ${id}`);
          return output('cached');
        },
      },
    },
    new CrashQuarantine(MAX_RECOVERIES, 1, { gathering: 0, probation: 0 }),
    {
      maxBytes: MAX_BYTES,
      memory: this.memory,
      valuesOf: (id) => new RunValues(id, this.memory, { text: () => Promise.resolve(undefined) }),
    },
    { adapter: { valuesOf: () => Promise.resolve(new Map()) } },
    this.clock,
  );

  get compiled(): CompiledWorkflow {
    return { plan: planOf(this.nodes, this.config), inputSchema: null, mayReadName: false };
  }

  /** Creates an execution that this process has claimed, with the events in `journal`. */
  claimed(own: Partial<Execution> = {}, progress: Partial<Execution['progress']> = {}): Execution {
    const fresh = newExecution({
      lease: { owner: OWNER, epoch: 1 },
      progress: { ...NOT_STARTED, lastSequence: 1 },
      ...own,
    });
    const execution = executionAfter(fresh, this.journal.slice(1));
    const claimed = { ...execution, progress: { ...execution.progress, ...progress } };
    this.store.add(claimed);
    return claimed;
  }

  /** Creates a new execution whose start is not committed yet. */
  fresh(): Execution {
    const execution = newExecution({
      lease: { owner: OWNER, epoch: 1 },
      progress: { ...NOT_STARTED, lastSequence: 1 },
    });
    this.store.add(execution);
    return execution;
  }

  get types(): readonly string[] {
    return this.store.events.map(({ type }) => type);
  }

  private async *parts(length: number): AsyncGenerator<readonly JournalEvent[]> {
    await Promise.resolve();
    yield this.journal.slice(0, length);
  }
}

/** Makes attempts stay pending until the test ends them. */
function heldAttempt(world: World): { readonly begun: Promise<AbortSignal>; end: (value: Json) => void } {
  const begun = Promise.withResolvers<AbortSignal>();
  const ended = Promise.withResolvers<RunnerOutcome>();
  world.attempt = (_order, signal) => {
    begun.resolve(signal);
    return ended.promise;
  };
  return { begun: begun.promise, end: (value) => ended.resolve(output(value)) };
}

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('RunLoop.run', () => {
  it('the run loop runs a claimed execution to its end, and calls `afterEnd` after the commit', async () => {
    const execution = world.claimed();
    expect(await world.loop.run(execution)).toEqual({ wakeAt: null });
    expect(world.types.at(-1)).toBe('workflow.completed');
    expect(world.store.commits.at(-1)?.writes).toEqual([{ sql: 'at the end', parameters: [] }]);
    expect(world.log).toEqual([`after the end of ${execution.id}`]);
  });

  it('the run loop uses the result cache if the workflow sets `cache_enabled` to true', async () => {
    world.config = { cache_enabled: true };
    const execution = world.claimed();
    await world.loop.run(execution);
    expect(world.log).toContain(`result cache for ${execution.id}`);
  });

  it('the run loop does not use the result cache if the workflow sets `cache_enabled` to false', async () => {
    world.config = { cache_enabled: false };
    const execution = world.claimed();
    await world.loop.run(execution);
    expect(world.log).not.toContain(`result cache for ${execution.id}`);
  });

  it('the run loop lists an execution as running while it runs the execution, and not afterwards', async () => {
    world.nodes = EFFECT;
    const attempt = heldAttempt(world);
    const execution = world.claimed();
    const run = world.loop.run(execution);
    await attempt.begun;
    expect(world.loop.running()).toMatchObject([{ id: execution.id, epoch: 1 }]);
    expect([world.loop.runs(execution.id, 1), world.loop.runs(execution.id, 2)]).toEqual([true, false]);
    attempt.end(1);
    await run;
    expect(world.loop.running()).toEqual([]);
  });

  it('the run loop cancels an execution instead of running it when an ancestor has ended', async () => {
    world.isBelowEnded = true;
    const execution = world.claimed();
    expect(await world.loop.run(execution)).toEqual({ wakeAt: null });
    expect([world.log, world.types]).toEqual([[`cancelled below ended ${execution.id}`], []]);
  });

  it('the run loop reads the current session state for a run', async () => {
    world.sessionState = { city: 'Berlin' };
    world.nodes = [{ id: 'a', type: 'pure', with: { text: '{{ session.state.city }}' } }];
    let input: unknown;
    world.attempt = (order) => {
      input = order.input;
      return output(1);
    };
    await world.loop.run(world.claimed({ sessionId: '01a00000-0000-7000-8000-00000000000b' }));
    expect(input).toEqual({ text: 'Berlin' });
  });

  it('the run loop runs an execution without session state when its session was deleted', async () => {
    await world.loop.run(world.claimed({ sessionId: '01a00000-0000-7000-8000-00000000000b' }));
    expect(world.types.at(-1)).toBe('workflow.completed');
  });

  it('a claimed execution consumes messages that arrived before the claim', async () => {
    world.nodes = [{ id: 'a', type: 'sleeper' }];
    world.attempt = ({ resumption }) =>
      resumption?.kind === 'signal'
        ? output(resumption.payload)
        : { kind: 'suspend', wait: { for: 'signal', signal: 'go', until: START + 60_000 } };
    world.messages = [{ id: 'm1', kind: 'signal', name: 'go', payload: 7, to: null }];
    await world.loop.run({ ...world.claimed(), hasMessages: true });
    expect(world.types.at(-1)).toBe('workflow.completed');
    expect(world.store.events.find(({ type }) => type === 'workflow.node.complete')).toMatchObject({
      data: { output: 7 },
    });
  });

  it('the run loop checks the inbox for unseen messages after it has suspended an execution', async () => {
    world.nodes = EFFECT;
    world.attempt = () => ({ kind: 'suspend', wait: { for: 'timer', until: START + 60_000 } });
    const execution = world.claimed();
    expect(await world.loop.run(execution)).toEqual({ wakeAt: START + 60_000 });
    expect(world.log).toEqual([`wake if unseen ${execution.id}`]);
    expect(world.store.stored(execution.id).lease.owner).toBeNull();
  });

  it('the run loop records nothing for an execution after another process has taken over the execution', async () => {
    world.nodes = EFFECT;
    const attempt = heldAttempt(world);
    const execution = world.claimed();
    const run = world.loop.run(execution);
    await attempt.begun;
    world.store.takeOver(execution.id);
    attempt.end(1);
    await run;
    expect(world.types).not.toContain('workflow.completed');
    expect(world.store.stored(execution.id).lease).toEqual({ owner: 'another', epoch: 2 });
  });

  it('the run loop stops the earlier run of an execution when the same process claims the execution under a new lease', async () => {
    world.nodes = EFFECT;
    const attempt = heldAttempt(world);
    const execution = world.claimed();
    const first = world.loop.run(execution);
    const signal = await attempt.begun;
    world.store.takeOver(execution.id);
    world.isBelowEnded = true;
    await world.loop.run({ ...execution, lease: { owner: OWNER, epoch: 3 } });
    await first;
    expect(signal.aborted).toBe(true);
  });

  it('the run loop aborts the run of a cancelled execution', async () => {
    world.nodes = EFFECT;
    const attempt = heldAttempt(world);
    const execution = world.claimed();
    const run = world.loop.run(execution);
    const signal = await attempt.begun;
    world.loop.stop(execution.id);
    await run;
    expect(signal.aborted).toBe(true);
    world.loop.stop('nobody');
  });

  it('the run loop reads the inbox when a message arrives while the run loop reads the journal', async () => {
    world.nodes = [{ id: 'a', type: 'sleeper' }];
    world.attempt = ({ resumption }) =>
      resumption?.kind === 'signal'
        ? output(resumption.payload)
        : { kind: 'suspend', wait: { for: 'signal', signal: 'go', until: START + 60_000 } };
    const execution = world.claimed();
    const run = world.loop.run(execution);
    world.messages = [{ id: 'm1', kind: 'signal', name: 'go', payload: 7, to: null }];
    world.loop.nudge(execution.id);
    await run;
    expect(world.types.at(-1)).toBe('workflow.completed');
  });

  it('the run loop reads the inbox when a message arrives during a run', async () => {
    world.nodes = EFFECT;
    const attempt = heldAttempt(world);
    const execution = world.claimed();
    const run = world.loop.run(execution);
    await attempt.begun;
    world.messages = [{ id: 'm1', kind: 'pause', reason: 'lunch' } as unknown as Message];
    world.loop.nudge(execution.id);
    world.loop.nudge('nobody');
    attempt.end(1);
    await run;
    expect(world.types).toContain('workflow.paused');
  });
});

describe('RunLoop recovery', () => {
  const running = (): readonly JournalEvent[] => {
    const source = new World();
    source.nodes = EFFECT;
    return [
      queued(null),
      {
        type: 'workflow.started',
        at: START,
        nodeId: null,
        attempt: null,
        data: {
          status: 'running',
          workflow_version: 1,
          timeout_at: at(3_600_000),
          progress: { completed: 0, total: 1 },
        },
      } satisfies JournalEvent,
    ];
  };
  const recovery = (cause: 'crash' | 'hand_over'): JournalEvent =>
    ({
      type: 'workflow.recovered',
      at: START,
      nodeId: null,
      attempt: null,
      data: { status: 'running', cause, interrupted_nodes: [], progress: { completed: 0, total: 1 } },
    }) as unknown as JournalEvent;

  it.each([
    [HOLDER_LOST, 'crash'],
    [HANDED_OVER, 'hand_over'],
  ])(
    'for an execution with the status reason "%s", the run loop records `workflow.recovered` with the cause %s',
    async (statusReason, cause) => {
      world.journal = running();
      await world.loop.run(world.claimed({}, { statusReason }));
      expect(world.store.events[0]).toMatchObject({ type: 'workflow.recovered', data: { cause } });
      expect(world.types.at(-1)).toBe('workflow.completed');
    },
  );

  it('the run loop fails an execution with `recovery_exhausted` after the maximum number of recoveries without progress', async () => {
    world.journal = [...running(), ...Array.from({ length: MAX_RECOVERIES }, () => recovery('crash'))];
    const execution = world.claimed({}, { statusReason: HOLDER_LOST });
    expect(await world.loop.run(execution)).toEqual({ wakeAt: null });
    expect(world.store.events).toMatchObject([
      { type: 'workflow.failed', data: { error: { type: 'recovery_exhausted' } } },
    ]);
    expect(world.store.commits.at(-1)?.writes).toEqual([
      { sql: 'empty the inbox', parameters: [] },
      { sql: 'at the end', parameters: [] },
    ]);
    expect(world.log).toEqual([`after the end of ${execution.id}`]);
  });

  it('hand-overs of an execution do not count toward MAX_RECOVERIES', async () => {
    world.journal = [...running(), ...Array.from({ length: 9 }, () => recovery('hand_over'))];
    await world.loop.run(world.claimed({}, { statusReason: HANDED_OVER }));
    expect(world.types.at(-1)).toBe('workflow.completed');
  });
});

describe('RunLoop with an execution that cannot run', () => {
  beforeEach(() => {
    for (const level of ['warn', 'error'] as const)
      vi.spyOn(Logger.prototype, level).mockImplementation((...said: unknown[]) => {
        world.log.push(`${level}: ${String(said.at(-1))}`);
      });
  });

  it('an execution whose workflow does not compile is retried after 30 seconds', async () => {
    world.planFailure = new PlanUnavailableError('the type acme.shout is not installed');
    const execution = world.claimed();
    expect(await world.loop.run(execution)).toEqual({ wakeAt: START + 30_000 });
    expect(world.store.stored(execution.id)).toMatchObject({
      lease: { owner: null },
      progress: { runnableAt: at(30_000), statusReason: 'workflow_unavailable' },
    });
  });

  it('an execution whose workflow does not compile is retried at its deadline if the deadline is within 30 seconds', async () => {
    world.planFailure = new PlanUnavailableError('the type acme.shout is not installed');
    const execution = world.claimed({}, { startedAt: at(-1_000), timeoutAt: at(2_000) });
    expect(await world.loop.run(execution)).toEqual({ wakeAt: START + 2_000 });
  });

  it('an execution times out at its deadline although its workflow does not compile', async () => {
    world.planFailure = new PlanUnavailableError('the type acme.shout is not installed');
    const execution = world.claimed({}, { startedAt: at(-60_000), timeoutAt: at(0) });
    expect(await world.loop.run(execution)).toEqual({ wakeAt: null });
    expect(world.store.events).toMatchObject([
      { type: 'workflow.failed', data: { error: { type: 'execution_timeout' } } },
    ]);
    expect(world.log).toEqual([`after the end of ${execution.id}`]);
  });

  it('after an internal error, the run loop releases the execution, which can be claimed again after five seconds', async () => {
    world.planFailure = new Error('The disk is on fire.');
    const execution = world.claimed();
    expect(await world.loop.run(execution)).toEqual({ wakeAt: START + 5_000 });
    expect(world.store.stored(execution.id).progress).toMatchObject({
      runnableAt: at(5_000),
      statusReason: 'service_fault',
    });
    expect(world.log).toEqual(['error: The run of an execution failed; it will be claimed again.']);
  });

  it('an execution keeps its lease if its run fails and the lease cannot be released', async () => {
    world.planFailure = new Error('The disk is on fire.');
    vi.spyOn(world.store, 'handBack').mockRejectedValue(new Error('The disk is gone.'));
    const execution = world.claimed();
    expect(await world.loop.run(execution)).toEqual({ wakeAt: START + 5_000 });
    expect(world.store.stored(execution.id).lease.owner).toBe(OWNER);
    expect(world.log.at(-1)).toBe('error: The lease could not be released.');
  });

  it.each([
    ['cancels the execution', true, null],
    ['hands the execution back if no ended ancestor is found', false, START + 5_000],
  ] as const)(
    'if a commit is refused because an ancestor of the execution has ended, the run %s',
    async (_, isGone, wakeAt) => {
      world.nodes = EFFECT;
      const execution = world.claimed();
      vi.spyOn(world.store, 'advance').mockImplementation(() => {
        world.isBelowEnded = isGone;
        return Promise.reject(new AncestorEndedError(execution.id));
      });
      expect(await world.loop.run(execution)).toEqual({ wakeAt });
    },
  );
});

describe('RunLoop.begin', () => {
  it('`RunLoop.begin()` runs a new execution in memory up to its first effect, and continues after the first commit', async () => {
    world.nodes = [
      { id: 'a', type: 'pure' },
      { id: 'b', type: 'effect', needs: ['a'] },
    ];
    const attempts: string[] = [];
    world.attempt = ({ node }) => {
      attempts.push(node.id);
      return output(1);
    };
    const execution = world.fresh();
    const begun = await world.loop.begin(execution, [queued(null)], world.compiled);
    expect(begun.decided.map(({ type }) => type)).toEqual([
      'workflow.started',
      'workflow.node.started',
      'workflow.node.complete',
      'workflow.node.started',
    ]);
    expect([attempts, world.types, world.loop.running()]).toEqual([['a'], [], []]);
    const written = executionAfter(execution, begun.decided);
    world.store.add(written);
    const left = begun.go(written);
    expect(world.loop.runs(execution.id, 1)).toBe(true);
    expect(await left).toEqual({ wakeAt: null });
    expect(attempts).toEqual(['a', 'b']);
    expect(world.log).toEqual([`after the end of ${execution.id}`]);
  });

  it('a new execution that ended before its first commit does not run after the commit', async () => {
    const execution = world.fresh();
    const begun = await world.loop.begin(execution, [queued(null)], world.compiled);
    expect(begun.decided.at(-1)?.type).toBe('workflow.completed');
    expect(begun.go(executionAfter(execution, begun.decided))).toBeNull();
    expect(world.loop.running()).toEqual([]);
  });

  it('`RunLoop.begin()` returns the size limit and a failure event for first events that exceed the limit', async () => {
    const begun = await world.loop.begin(world.fresh(), [queued(null)], world.compiled);
    expect(begun.maxBytes).toBe(MAX_BYTES);
    expect(begun.endTooLarge(2 * MAX_BYTES)).toMatchObject([
      { type: 'workflow.failed', data: { error: { type: 'execution_too_large' } } },
    ]);
  });

  it('the memory of a new execution is released when its start is not committed', async () => {
    world.nodes = [{ id: 'a', type: 'effect', with: { text: 'x'.repeat(100_000) } }];
    const begun = await world.loop.begin(world.fresh(), [queued(null)], world.compiled);
    begun.discard();
    world.memory.hold(MAX_BYTES - 1);
    expect(world.memory.isFull).toBe(false);
  });
});

describe('RunLoop.drain', () => {
  it('`RunLoop.drain()` waits for running attempts and then releases the leases of their executions', async () => {
    world.nodes = EFFECT;
    const attempt = heldAttempt(world);
    const execution = world.claimed();
    const run = world.loop.run(execution);
    await attempt.begun;
    const drained = world.loop.drain(60_000);
    attempt.end(1);
    await Promise.all([run, drained]);
    expect(world.types).toContain('workflow.node.complete');
    expect(world.store.stored(execution.id)).toMatchObject({
      lease: { owner: null },
      progress: { runnableAt: at(0) },
    });
  });

  it('`RunLoop.drain()` aborts executions that do not end within the grace period, and releases their leases', async () => {
    world.nodes = EFFECT;
    const attempt = heldAttempt(world);
    const execution = world.claimed();
    const run = world.loop.run(execution);
    const signal = await attempt.begun;
    await world.loop.drain(0);
    await run;
    expect(signal.aborted).toBe(true);
    expect(world.store.stored(execution.id)).toMatchObject({
      lease: { owner: null },
      progress: { statusReason: HANDED_OVER },
    });
  });

  it('an execution that is claimed after `RunLoop.drain()` began is not run, and its lease is released', async () => {
    world.nodes = EFFECT;
    await world.loop.drain(0);
    let attempts = 0;
    world.attempt = () => {
      attempts += 1;
      return output(1);
    };
    const execution = world.claimed();
    await world.loop.run(execution);
    expect(attempts).toBe(0);
    expect(world.store.stored(execution.id).lease.owner).toBeNull();
  });
});
