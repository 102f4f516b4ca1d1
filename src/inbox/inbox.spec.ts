import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.js';
import type { Message } from '../engine/index.js';
import type { Write } from '../storage/index.js';
import { Inbox } from './inbox.js';

const START = Date.UTC(2030, 0, 1);
const ID = '01a00000-0000-7000-8000-000000000001';
const MESSAGE: Message = { id: '01a00000-0000-7000-8000-000000000002', kind: 'pause' } as unknown as Message;
const ALSO: Write = { sql: 'also', parameters: [] };

let log: string[];
let commits: (readonly Write[])[];
let refusal: Error | null;
let unseen: boolean;
const listeners = new Map<string, () => void>();
let inbox: Inbox;

beforeEach(async () => {
  log = [];
  commits = [];
  refusal = null;
  unseen = false;
  listeners.clear();
  const write = (sql: string): Write => ({ sql, parameters: [] });
  inbox = new Inbox(
    {
      insert: (id, { id: messageId }, at) => write(`insert ${messageId} for ${id} at ${at}`) as never,
      makeRunnable: (id, at) => write(`runnable ${id} at ${at}`) as never,
      list: () => Promise.resolve([{ message: MESSAGE, isSeen: false }]),
      sizeOf: () => Promise.resolve({ count: 1, characters: 2 }),
      hasUnseen: () => Promise.resolve(unseen),
      empty: (id) => write(`empty ${id}`) as never,
    },
    {
      commit: (unit) => {
        if (refusal !== null) return Promise.reject(refusal);
        commits.push(unit.writes);
        log.push('commit');
        return Promise.resolve();
      },
    },
    {
      listen: (topic, onNotice) => {
        listeners.set(topic, onNotice);
        return Promise.resolve();
      },
      notify: (topic) => {
        log.push(`tell ${topic}`);
        return Promise.resolve();
      },
    },
    new ManualClock(START),
  );
  await inbox.connect({
    wake: () => log.push('wake'),
    nudge: (id) => log.push(`nudge ${id}`),
    stop: (id) => log.push(`stop ${id}`),
    checkInboxes: () => log.push('check inboxes'),
    checkCancelled: () => log.push('check cancelled'),
  });
});

const sqlOf = (writes: readonly Write[] | undefined): readonly unknown[] =>
  (writes ?? []).map((write) => ('sql' in write ? write.sql : write));

describe('Inbox.deliver', () => {
  it('`Inbox.deliver` stores a message before it wakes the execution', async () => {
    await inbox.deliver(ID, MESSAGE);
    expect(commits.map(sqlOf)).toEqual([
      [`insert ${MESSAGE.id} for ${ID} at 2030-01-01T00:00:00.000Z`],
      [`runnable ${ID} at 2030-01-01T00:00:00.000Z`],
    ]);
    expect(log).toEqual(['commit', 'commit', 'tell workflow_inboxes', 'wake', `nudge ${ID}`]);
  });

  it("`Inbox.deliver` commits a message together with the caller's writes", async () => {
    await inbox.deliver(ID, MESSAGE, { also: [ALSO] });
    expect(commits[0]?.[0]).toBe(ALSO);
    expect(commits[0]).toHaveLength(2);
  });

  it('`Inbox.deliver` passes the option `onDuplicate` of its caller to the commit', async () => {
    const onDuplicate = (): Error => new Error('sent before');
    await inbox.deliver(ID, MESSAGE, { onDuplicate });
    expect(commits[0]?.[0]).toMatchObject({ onDuplicate });
  });

  it('`Inbox.deliver` does not wake the execution if the commit is refused', async () => {
    refusal = new Error('database is away');
    await expect(inbox.deliver(ID, MESSAGE)).rejects.toThrow('database is away');
    expect(log).toEqual([]);
  });
});

describe('Inbox.wakeIfUnseen', () => {
  it('`Inbox.wakeIfUnseen` wakes an execution if a message arrived just before the execution was suspended', async () => {
    unseen = true;
    await inbox.wakeIfUnseen(ID);
    expect(log).toEqual(['commit', 'tell workflow_inboxes', 'wake', `nudge ${ID}`]);
  });

  it('`Inbox.wakeIfUnseen` leaves an execution without messages suspended', async () => {
    await inbox.wakeIfUnseen(ID);
    expect(log).toEqual([]);
  });
});

it('`Inbox.notifyCancelled` stops a cancelled execution and notifies other processes', () => {
  inbox.notifyCancelled(ID);
  expect(log).toEqual(['tell workflow_cancellations', `stop ${ID}`]);
});

it('after a notification from another process, the inbox checks for new messages or for cancellations', () => {
  listeners.get('workflow_inboxes')?.();
  listeners.get('workflow_cancellations')?.();
  expect(log).toEqual(['check inboxes', 'check cancelled']);
});
