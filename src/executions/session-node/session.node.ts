import { Inject } from '@nestjs/common';
import type { JsonObject } from '../../expressions/index.js';
import {
  type NodeContext,
  NodeFailure,
  type NodeResult,
  type NodeType as NodeTypeContract,
  output,
} from '../../node-contract/index.js';
import { NodeType } from '../../nodes/index.js';
import { throughOutages } from '../../database/index.js';
import {
  SessionClosedError,
  SessionNotFoundError,
  type SessionState,
  SessionStateConflictError,
  SessionStates,
  SessionStateTooLongError,
} from '../../sessions/index.js';
import { ExecutionRepository } from '../../execution-store/index.js';

type SessionParameters = { readonly set: JsonObject; readonly expected_version?: number };

/** Node type `session`, which changes the state of the execution's session. */
@NodeType({
  type: 'session',
  version: 1,
  title: 'Session state',
  description:
    'Changes the state of the session that the execution belongs to. The output contains the new state. Expressions in this execution may still read the old state from `session.state`.',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['set'],
    properties: {
      set: {
        type: 'object',
        title: 'Set',
        description:
          'Changes to the state, as a JSON Merge Patch: objects are merged, and null deletes a field.',
      },
      expected_version: {
        type: 'integer',
        minimum: 1,
        title: 'Expected version',
        description:
          'Version that the state must have. If the state has another version, the node fails with `session_state_conflict`.',
      },
    },
  },
  outputSchema: {
    type: 'object',
    required: ['state', 'state_version'],
    properties: {
      state: { type: 'object', description: 'The complete state after the change.' },
      state_version: { type: 'integer', minimum: 1 },
    },
  },
  capabilities: {},
})
export class SessionNode implements NodeTypeContract {
  constructor(
    @Inject(ExecutionRepository) private readonly executions: Pick<ExecutionRepository, 'find'>,
    @Inject(SessionStates) private readonly states: Pick<SessionStates, 'change'>,
  ) {}

  /** @throws NodeFailure `no_session`, `session_closed`, `session_state_conflict` or `session_state_too_large`. */
  async run({
    with: parameters,
    executionId,
    idempotencyKey,
    signal,
  }: NodeContext<SessionParameters>): Promise<NodeResult> {
    // Repeating the change is safe: with the same idempotency key, it returns the result of the first call.
    const { state, stateVersion } = await throughOutages(async () => {
      const sessionId = (await this.executions.find(executionId))?.sessionId ?? null;
      if (sessionId === null)
        throw final('no_session', 'The execution does not belong to a session. Start it with session_id.');
      return this.change(sessionId, parameters, idempotencyKey);
    }, signal);
    return output({ state, state_version: stateVersion });
  }

  private async change(
    sessionId: string,
    { set: patch, expected_version }: SessionParameters,
    idempotencyKey: string,
  ): Promise<SessionState> {
    try {
      const expectedVersion = expected_version ?? null;
      return await this.states.change({ sessionId, patch, expectedVersion, idempotencyKey });
    } catch (error) {
      if (error instanceof SessionNotFoundError) throw final('no_session', 'The session was deleted.');
      if (error instanceof SessionClosedError) throw final(error.code, error.message);
      if (error instanceof SessionStateTooLongError) throw final(error.code, error.message);
      if (error instanceof SessionStateConflictError)
        throw new NodeFailure(error.code, error.message, { details: error.versions });
      throw error;
    }
  }
}

function final(code: string, message: string): NodeFailure {
  return new NodeFailure(code, message, { retryable: false });
}
