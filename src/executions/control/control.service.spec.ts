import { beforeEach, describe, expect, it } from 'vitest';
import { newExecution } from '../../../test/support/execution-store.js';
import { CALLER, FakeCompletion, withStatus } from '../../../test/support/executions-fakes.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import type { Message } from '../../engine/index.js';
import { ExecutionNotFoundError, type Execution } from '../../execution-store/index.js';
import { ProjectOutOfReachError } from '../../projects/index.js';
import type { Write } from '../../storage/index.js';
import { ControlService } from './control.service.js';
import { ExecutionSignals } from './execution-signals.js';

const NOW = '2030-01-01T00:00:00.000Z';
const CLAIM: Write = { sql: 'claim the key', parameters: [] };
const DECIDED: Write = { sql: 'audit the decision', parameters: [] };

class World {
  execution = newExecution({});
  readonly completion = new FakeCompletion();
  readonly delivered: { readonly message: Message; readonly also: readonly Write[] }[] = [];
  /** Number of messages in the execution's inbox, and their total length in characters. */
  inboxSize = { count: 0, characters: 0 };
  readFailure: Error | null = null;
  deliveryFailure: Error | null = null;
  approvalRefusal: Error | null = null;

  private readonly inbox = {
    sizeOf: () => Promise.resolve(this.inboxSize),
    deliver: (_id: string, message: Message, sameCommit?: { readonly also?: readonly Write[] }) => {
      if (this.deliveryFailure !== null) return Promise.reject(this.deliveryFailure);
      this.delivered.push({ message, also: sameCommit?.also ?? [] });
      return Promise.resolve();
    },
  };

  readonly control = new ControlService(
    {
      read: () =>
        this.readFailure === null ? Promise.resolve(this.execution) : Promise.reject(this.readFailure),
    },
    this.inbox,
    this.completion,
    { claim: () => [CLAIM] },
    new ExecutionSignals(
      this.inbox,
      {
        entries: () =>
          this.approvalRefusal === null ? Promise.resolve([DECIDED]) : Promise.reject(this.approvalRefusal),
      },
      new ManualClock(Date.parse(NOW)),
    ),
  );

  becomes(status: Execution['progress']['status']): void {
    this.execution = withStatus(this.execution, status);
  }

  get id(): string {
    return this.execution.id;
  }
}

let world: World;

const actions = (): readonly (() => Promise<unknown>)[] => [
  () => world.control.pause(CALLER, world.id, null),
  () => world.control.resume(CALLER, world.id),
  () => world.control.signal(CALLER, world.id, 'go', null),
];

beforeEach(() => {
  world = new World();
});

describe('pauses of executions', () => {
  it.each(['queued', 'running', 'waiting'] as const)(
    'a pause request for a %s execution waits until the execution is paused',
    async (status) => {
      world.becomes(status);
      world.completion.after = (execution) => withStatus(execution, 'paused');
      const paused = await world.control.pause(CALLER, world.id, 'Lunch');
      expect(paused.progress.status).toBe('paused');
      expect(world.delivered).toMatchObject([{ message: { kind: 'pause', reason: 'Lunch' } }]);
      expect(world.completion).toMatchObject({ waitedMs: [5_000], isReached: true, stopped: 1 });
    },
  );

  it('a pause request for a paused execution changes nothing', async () => {
    world.becomes('paused');
    expect(await world.control.pause(CALLER, world.id, null)).toBe(world.execution);
    expect(world.delivered).toEqual([]);
  });

  it('a pause request returns the current state if the execution is not paused within 5 seconds', async () => {
    world.becomes('running');
    expect((await world.control.pause(CALLER, world.id, null)).progress.status).toBe('running');
    expect(world.completion.isReached).toBe(false);
  });

  it('a pause request is rejected when the execution ends before it is paused', async () => {
    world.becomes('running');
    world.completion.after = (execution) => withStatus(execution, 'completed');
    await expect(world.control.pause(CALLER, world.id, null)).rejects.toMatchObject({
      code: 'execution_finished',
      status: 409,
    });
  });

  it('a pause request stops watching the execution if the request cannot be stored in the inbox', async () => {
    world.deliveryFailure = new Error('The database is away.');
    await expect(world.control.pause(CALLER, world.id, null)).rejects.toBe(world.deliveryFailure);
    expect([world.completion.begun, world.completion.stopped]).toEqual([1, 1]);
  });
});

describe('resumes of executions', () => {
  it('a resume request waits until the execution is no longer paused', async () => {
    world.becomes('paused');
    world.completion.after = (execution) => withStatus(execution, 'running');
    expect((await world.control.resume(CALLER, world.id)).progress.status).toBe('running');
    expect(world.delivered).toMatchObject([{ message: { kind: 'resume' } }]);
    expect(world.completion).toMatchObject({ isReached: true, stopped: 1 });
  });

  it('a resume request succeeds if the execution ends right after it was resumed', async () => {
    world.becomes('paused');
    world.completion.after = (execution) => withStatus(execution, 'failed');
    expect((await world.control.resume(CALLER, world.id)).progress.status).toBe('failed');
  });

  it.each(['queued', 'running', 'waiting'] as const)(
    'a resume request for a %s execution is rejected',
    async (status) => {
      world.becomes(status);
      await expect(world.control.resume(CALLER, world.id)).rejects.toMatchObject({
        code: 'execution_not_paused',
        message: expect.stringContaining(status) as string,
      });
      expect(world.delivered).toEqual([]);
    },
  );
});

describe('pauses, resumes and signals of an ended execution', () => {
  it.each(['completed', 'failed', 'timed_out', 'cancelled'] as const)(
    'a request to pause, resume or signal is rejected when the execution is %s',
    async (status) => {
      world.becomes(status);
      for (const act of actions()) await expect(act()).rejects.toMatchObject({ code: 'execution_finished' });
      expect(world.delivered).toEqual([]);
    },
  );
});

describe('pauses, resumes and signals of an execution that the caller cannot read', () => {
  it.each([
    ['does not exist', new ExecutionNotFoundError(CALLER.userId), 404],
    ['belongs to another project', new ProjectOutOfReachError(CALLER.userId), 403],
  ])(
    'a request to pause, resume or signal is rejected when the execution %s',
    async (_what, failure, status) => {
      world.readFailure = failure;
      for (const act of actions()) await expect(act()).rejects.toMatchObject({ status });
      expect([world.delivered, world.completion.begun]).toEqual([[], 0]);
    },
  );
});

describe('signals to executions', () => {
  it('a signal is committed together with its idempotency key and its audit entries', async () => {
    const signal = await world.control.signal(CALLER, world.id, 'go', { by: 'Ada' });
    expect(signal).toEqual({
      id: expect.any(String) as string,
      name: 'go',
      executionId: world.id,
      createdAt: NOW,
    });
    expect(world.delivered).toEqual([
      {
        message: { id: signal.id, kind: 'signal', name: 'go', payload: { by: 'Ada' }, to: null },
        also: [CLAIM, DECIDED],
      },
    ]);
  });

  it('a request to send a signal does not wait until the execution consumes the signal', async () => {
    await world.control.signal(CALLER, world.id, 'go', null);
    expect(world.completion.begun).toBe(0);
  });

  it.each([
    [256 * 1024 - 2, true],
    [256 * 1024 - 1, false],
  ])(
    'a signal with a payload text of %i characters is accepted (true) or rejected (false): %s',
    async (length, isTaken) => {
      const signal = world.control.signal(CALLER, world.id, 'go', 'x'.repeat(length));
      if (isTaken) await signal;
      else await expect(signal).rejects.toMatchObject({ status: 400, details: { field: 'payload' } });
      expect(world.delivered).toHaveLength(isTaken ? 1 : 0);
    },
  );

  it.each([
    ['1,000 messages', { count: 1_000, characters: 0 }],
    ['4 MiB of payloads', { count: 1, characters: 4 * 1024 * 1024 - 3 }],
  ])('a signal is rejected when the inbox would exceed %s', async (_what, size) => {
    world.inboxSize = size;
    await expect(world.control.signal(CALLER, world.id, 'go', null)).rejects.toMatchObject({
      code: 'inbox_full',
    });
  });

  it('a signal for an approval is rejected when the caller is not an approver', async () => {
    world.approvalRefusal = new Error('Not an approver.');
    await expect(world.control.signal(CALLER, world.id, 'go', null)).rejects.toBe(world.approvalRefusal);
    expect(world.delivered).toEqual([]);
  });
});
