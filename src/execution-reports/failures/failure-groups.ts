import type { FailedRow } from './failures.repository.js';
import { messageShape } from './message-shape.js';

/** A group of failed executions that have the same workflow, node, error type and message shape. */
export interface FailureGroup {
  readonly workflowId: string;
  readonly nodeId: string | null;
  readonly errorType: string;
  readonly shape: string;
  /** Error message of the latest failure in the group. */
  readonly message: string;
  readonly count: number;
  /** ISO 8601 times at which the first and the last execution in the group ended. */
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly lastExecutionId: string;
}

/** Groups failed executions by workflow, node, error type and message shape. The largest group comes first. */
export function failureGroups(rows: readonly FailedRow[]): readonly FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const row of rows) {
    const errorType = row.errorType ?? row.status;
    const message = row.message ?? '';
    const shape = messageShape(message);
    const key = JSON.stringify([row.workflowId, row.nodeId, errorType, shape]);
    const known = groups.get(key);
    const isLast = known === undefined || row.finishedAt >= known.lastSeen;
    const { workflowId, nodeId, id, finishedAt } = row;
    groups.set(key, {
      workflowId,
      nodeId,
      errorType,
      shape,
      message: isLast ? message : known.message,
      count: (known?.count ?? 0) + 1,
      firstSeen: known === undefined || finishedAt < known.firstSeen ? finishedAt : known.firstSeen,
      lastSeen: isLast ? finishedAt : known.lastSeen,
      lastExecutionId: isLast ? id : known.lastExecutionId,
    });
  }
  return [...groups.values()].toSorted(
    (left, right) => right.count - left.count || right.lastSeen.localeCompare(left.lastSeen),
  );
}
