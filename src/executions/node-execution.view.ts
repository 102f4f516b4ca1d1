import { wireError } from '../journal/index.js';
import type { NodeExecutionView } from './execution.dto.js';
import type { NodeAttempt, NodeExecution } from './node-execution.js';
import { shownInput, shownOutput } from './shown-value.js';

export function nodeExecutionView(executionId: string, node: NodeExecution): NodeExecutionView {
  return {
    node_id: node.nodeId,
    type: node.type,
    name: node.name,
    iteration: node.iteration,
    status: node.status,
    attempt: node.attempt,
    ...shownInput(executionId, node.input),
    ...shownOutput(executionId, node.output),
    error: node.error === null ? null : wireError(node.error, node.nodeId),
    cached: node.cached,
    logs: node.logs,
    started_at: node.startedAt,
    finished_at: node.finishedAt,
    wake_at: node.wakeAt,
    waiting_for: node.waitingFor,
    child_execution_id: node.childExecutionId,
    duration_ms: node.durationMs,
    attempts: node.attempts.map((attempt) => attemptView(attempt, node.nodeId)),
  };
}

function attemptView(
  { attempt, status, startedAt, finishedAt, error }: NodeAttempt,
  nodeId: string,
): NodeExecutionView['attempts'][number] {
  return {
    attempt,
    status,
    started_at: startedAt,
    finished_at: finishedAt,
    error: error === null ? null : wireError(error, nodeId),
  };
}
