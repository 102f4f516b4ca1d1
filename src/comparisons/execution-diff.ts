import type { ExecutionError, NodeError } from '../execution-events/index.js';
import { durationMs, type Execution } from '../execution-store/index.js';
import { type NodeExecution, shownInput, shownOutput } from '../executions/index.js';
import type { Json } from '../expressions/index.js';
import { LongValue, type RecordedValue } from '../long-values/index.js';
import type { ExecutionDiffView, ValueDiffView } from './comparison.dto.js';
import { type ValueChange, valueDifferences } from './value-diff.js';

/** Maximum number of differences that are listed for one value. Further differences are only counted. */
const MAX_CHANGES = 200;

/** Maximum number of differences that a comparison of two executions lists for all values together. */
const MAX_CHANGES_IN_ALL = 2_000;

/** Maximum length of a value in the response, in characters of JSON. Only the start of a longer value is returned. */
const MAX_VALUE = 2_000;

/**
 * Maximum length of an error message in the response, in characters. Only the start of a longer message is returned.
 */
const MAX_MESSAGE = 500;

type NodeDiff = ExecutionDiffView['nodes'][number];

export interface Compared {
  readonly execution: Execution;
  readonly nodes: readonly NodeExecution[];
  /** Whether the execution has more nodes than `nodes` contains. */
  readonly hasMore: boolean;
}

/**
 * Compares two executions. To limit the size of the response, long values are cut and long lists of differences end
 * early.
 */
export function executionDiff(base: Compared, other: Compared): ExecutionDiffView {
  const listed = new ListedChanges();
  const [before, after] = [base.execution, other.execution];
  const input = listed.between(
    sideOf(before.id, 'input', before.input),
    sideOf(after.id, 'input', after.input),
  );
  const output = listed.between(
    sideOf(before.id, 'output', before.progress.output),
    sideOf(after.id, 'output', after.progress.output),
  );
  const nodes = nodeDiffs(base, other, listed);
  const path = pathDiff(base.nodes, other.nodes);
  const isSame =
    before.progress.status === after.progress.status &&
    before.workflowVersion === after.workflowVersion &&
    JSON.stringify(path.base) === JSON.stringify(path.other);
  return {
    equal: !isSame ? false : allEqual([input, output, ...nodes]),
    workflow_id: before.workflowId,
    base: comparedExecution(before),
    other: comparedExecution(after),
    path,
    input,
    output,
    nodes,
    nodes_truncated: base.hasMore || other.hasMore,
  };
}

/** Input or output of an execution or node. `url` is set only for a value that is too long to compare. */
interface SideValue {
  readonly value: Json;
  readonly url: string | null;
}

function sideOf(executionId: string, field: 'input' | 'output', value: RecordedValue): SideValue {
  if (!(value instanceof LongValue)) return { value, url: null };
  const url =
    field === 'input' ? shownInput(executionId, value).input_url : shownOutput(executionId, value).output_url;
  return { value: null, url: url ?? '' };
}

/** Limits the differences that one comparison of two executions lists to `MAX_CHANGES_IN_ALL`. */
class ListedChanges {
  private left = MAX_CHANGES_IN_ALL;

  between(base: SideValue, other: SideValue): ValueDiffView {
    if (base.url !== null || other.url !== null)
      return {
        equal: null,
        total: 0,
        changes: [],
        ...(base.url === null ? {} : { base_url: base.url }),
        ...(other.url === null ? {} : { other_url: other.url }),
      };
    const limit = Math.min(MAX_CHANGES, this.left);
    const { total, changes } = valueDifferences(base.value, other.value, limit);
    this.left -= changes.length;
    return { equal: total === 0, total, changes: changes.map(changeView) };
  }
}

function changeView(change: ValueChange): ValueDiffView['changes'][number] {
  const base = shown(change.base);
  const other = shown(change.other);
  return {
    path: change.path,
    kind: change.kind,
    base: base.value,
    ...(base.isCut ? { base_truncated: true } : {}),
    other: other.value,
    ...(other.isCut ? { other_truncated: true } : {}),
  };
}

/** Returns a value for the response, or the start of its JSON if the value is too long. */
function shown(value: Json | undefined): { readonly value: Json; readonly isCut: boolean } {
  if (value === undefined) return { value: null, isCut: false };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= MAX_VALUE) return { value, isCut: false };
  return { value: text.slice(0, MAX_VALUE).toWellFormed(), isCut: true };
}

function nodeDiffs(base: Compared, other: Compared, listed: ListedChanges): readonly NodeDiff[] {
  const [ofBase, ofOther] = [rowsByKey(base.nodes), rowsByKey(other.nodes)];
  const keys = new Set([...ofBase.keys(), ...ofOther.keys()]);
  return [...keys].map((key) => {
    const [before, after] = [ofBase.get(key), ofOther.get(key)];
    const side = (of: Compared, field: 'input' | 'output', node: NodeExecution | undefined): SideValue =>
      node === undefined ? { value: null, url: null } : sideOf(of.execution.id, field, node[field]);
    const input = listed.between(side(base, 'input', before), side(other, 'input', after));
    const output = listed.between(side(base, 'output', before), side(other, 'output', after));
    // At least one of `before` and `after` is defined, because each key comes from a node of one of the two executions.
    const { nodeId, iteration, type } = (before ?? after) as NodeExecution;
    return {
      node_id: nodeId,
      iteration,
      type,
      equal: isAlike(before, after) ? allEqual([input, output]) : false,
      base: before === undefined ? null : comparedNode(before),
      other: after === undefined ? null : comparedNode(after),
      input,
      output,
    };
  });
}

function rowsByKey(nodes: readonly NodeExecution[]): ReadonlyMap<string, NodeExecution> {
  return new Map(nodes.map((node) => [`${node.nodeId} ${node.iteration ?? ''}`, node]));
}

function isAlike(before: NodeExecution | undefined, after: NodeExecution | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  return (
    before.status === after.status &&
    before.attempts.length === after.attempts.length &&
    before.error?.code === after.error?.code &&
    before.error?.message === after.error?.message
  );
}

/**
 * Returns false if at least one part differs, and true if all parts are equal. Returns null if no compared part differs,
 * but at least one part was too long to compare.
 */
function allEqual(all: readonly { readonly equal: boolean | null }[]): boolean | null {
  if (all.some(({ equal }) => equal === false)) return false;
  return all.some(({ equal }) => equal === null) ? null : true;
}

function pathDiff(
  base: readonly NodeExecution[],
  other: readonly NodeExecution[],
): ExecutionDiffView['path'] {
  const [before, after] = [pathOf(base), pathOf(other)];
  return {
    base: before,
    other: after,
    only_base: before.filter((id) => !after.includes(id)),
    only_other: after.filter((id) => !before.includes(id)),
  };
}

/**
 * Returns the ids of the nodes outside loops that ran, in the order of their start. Nodes that started at the same time
 * keep their given order.
 */
function pathOf(nodes: readonly NodeExecution[]): readonly string[] {
  return nodes
    .flatMap(({ nodeId, iteration, startedAt }) =>
      iteration === null && startedAt !== null ? [{ nodeId, startedAt }] : [],
    )
    .toSorted((left, right) => left.startedAt.localeCompare(right.startedAt))
    .map(({ nodeId }) => nodeId);
}

function comparedExecution(execution: Execution): ExecutionDiffView['base'] {
  const { progress } = execution;
  return {
    id: execution.id,
    status: progress.status,
    workflow_version: execution.workflowVersion,
    duration_ms: durationMs(execution),
    error: progress.error === null ? null : comparedError(progress.error, progress.error.node_id),
    retry_of: execution.retryOf,
    created_at: execution.createdAt,
    started_at: progress.startedAt,
    finished_at: progress.finishedAt,
  };
}

function comparedNode(node: NodeExecution): NonNullable<NodeDiff['base']> {
  return {
    status: node.status,
    attempts: node.attempts.length,
    cached: node.cached,
    duration_ms: node.durationMs,
    error: node.error === null ? null : comparedError(node.error, node.nodeId),
  };
}

function comparedError(
  error: NodeError | ExecutionError,
  nodeId: string | null,
): NonNullable<ExecutionDiffView['base']['error']> {
  const type = 'type' in error ? error.type : error.code;
  return { type, message: error.message.slice(0, MAX_MESSAGE).toWellFormed(), node_id: nodeId };
}
