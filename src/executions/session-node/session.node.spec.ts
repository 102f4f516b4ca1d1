import { beforeEach, describe, expect, it } from 'vitest';
import { newExecution } from '../../../test/support/execution-store.js';
import { DatabaseUnavailableError } from '../../database/index.js';
import type { JsonObject } from '../../expressions/index.js';
import type { NodeResult } from '../../node-contract/index.js';
import {
  SessionClosedError,
  SessionNotFoundError,
  SessionStateConflictError,
  SessionStateTooLongError,
} from '../../sessions/index.js';
import { NodeTypeMetadata, NodeTypeRegistry } from '../../nodes/index.js';
import { SessionNode } from './session.node.js';

const SESSION = '01a00000-0000-7000-8000-0000000000c1';

class World {
  sessionId: string | null = SESSION;
  exists = true;
  readFailure: Error | null = null;
  changeFailure: Error | null = null;
  readonly changes: unknown[] = [];
  readonly abort = new AbortController();

  readonly node = new SessionNode(
    {
      find: (id) => {
        if (this.readFailure !== null) return Promise.reject(this.readFailure);
        return Promise.resolve(this.exists ? newExecution({ id, sessionId: this.sessionId }) : undefined);
      },
    },
    {
      change: (change) => {
        this.changes.push(change);
        if (this.changeFailure !== null) return Promise.reject(this.changeFailure);
        return Promise.resolve({ state: { total: 3 }, stateVersion: 8 });
      },
    },
  );

  run(parameters: { readonly set: JsonObject; readonly expected_version?: number }): Promise<NodeResult> {
    return this.node.run({
      with: parameters,
      executionId: 'execution-1',
      workflowId: 'workflow-1',
      projectId: 'project-1',
      nodeId: 'session',
      attempt: 1,
      iteration: null,
      idempotencyKey: 'key-1',
      traceContext: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
      signal: this.abort.signal,
      timeoutMs: null,
      resumption: null,
      progress: () => undefined,
      reserveMemory: () => Promise.resolve(),
    });
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('SessionNode', () => {
  it('the schemas of the session node compile', () => {
    const registry = new NodeTypeRegistry();
    registry.register(Reflect.getMetadata(NodeTypeMetadata.KEY, SessionNode), world.node);
    expect(registry.names()).toEqual(['session']);
  });

  it('a session node merges the value of its parameter `set` into the session state', async () => {
    expect(await world.run({ set: { total: 3 }, expected_version: 7 })).toEqual({
      kind: 'output',
      output: { state: { total: 3 }, state_version: 8 },
    });
    expect(world.changes).toEqual([
      { sessionId: SESSION, patch: { total: 3 }, expectedVersion: 7, idempotencyKey: 'key-1' },
    ]);
  });

  it('a session node without an expected version changes the session state without a check of its version', async () => {
    await world.run({ set: {} });
    expect(world.changes).toMatchObject([{ expectedVersion: null }]);
  });

  it.each([
    ['belongs to no session', (): void => void (world.sessionId = null)],
    ['was deleted', (): void => void (world.exists = false)],
  ])('a session node fails without a retry when its execution %s', async (_what, arrange) => {
    arrange();
    await expect(world.run({ set: {} })).rejects.toMatchObject({
      name: 'NodeFailure',
      code: 'no_session',
      options: { retryable: false },
    });
    expect(world.changes).toEqual([]);
  });

  it.each([
    ['no_session', new SessionNotFoundError(SESSION)],
    ['session_closed', new SessionClosedError('expired')],
    ['session_state_too_large', new SessionStateTooLongError(70_000)],
  ])('a session node fails with %s and is not retried', async (code, failure) => {
    world.changeFailure = failure;
    await expect(world.run({ set: {} })).rejects.toMatchObject({ code, options: { retryable: false } });
  });

  it('a session node may be retried after a conflict of state versions', async () => {
    world.changeFailure = new SessionStateConflictError(7, 9);
    const failure: unknown = await world
      .run({ set: {}, expected_version: 7 })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'session_state_conflict',
      options: { details: { expected_version: 7, state_version: 9 } },
    });
    expect(failure).not.toHaveProperty('options.retryable');
  });

  it('a session node rethrows an unexpected error unchanged', async () => {
    world.changeFailure = new Error('A bug.');
    await expect(world.run({ set: {} })).rejects.toBe(world.changeFailure);
  });

  it('a session node stops waiting for the database when the attempt is aborted', async () => {
    const reason = new Error('The execution was cancelled.');
    world.readFailure = new DatabaseUnavailableError();
    world.abort.abort(reason);
    await expect(world.run({ set: {} })).rejects.toBe(reason);
  });
});
