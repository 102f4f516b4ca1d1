import { Injectable } from '@nestjs/common';
import {
  compilePlan,
  type NodeDefinition,
  type NodeTypeCatalog,
  type Plan,
  type WorkflowConfig,
  type WorkflowDefinition,
} from '../engine/index.js';
import { at } from '../expressions/index.js';
import { NodeTypeRegistry } from '../nodes/index.js';
import { type WorkflowWarning, type WorkflowWarningFinder, WorkflowWarnings } from './workflow-warnings.js';

/** Finds nodes whose wait is longer than the time limit of the execution, and returns warnings about them. */
@Injectable()
export class WaitWarnings implements WorkflowWarningFinder {
  constructor(
    private readonly registry: NodeTypeRegistry,
    warnings: WorkflowWarnings,
  ) {
    warnings.connect(this);
  }

  warnings(definition: WorkflowDefinition): Promise<readonly WorkflowWarning[]> {
    const { plan } = compilePlan(definition, this.registry);
    return Promise.resolve(plan === null ? [] : waitWarnings(plan, definition, this.registry));
  }
}

interface TimeLimit {
  readonly code: string;
  readonly ms: number;
  readonly says: string;
  readonly remedy: (needsMs: number) => string;
}

const MAX_TIMEOUT_SECONDS = 3_600;

/**
 * Returns a warning for each wait of fixed length that cannot end before the time limit of the execution. Outside of
 * loops, the length of a wait includes all earlier waits on its path. Inside a loop, each wait counts alone, because
 * items run in parallel.
 */
export function waitWarnings(
  plan: Plan,
  { nodes }: WorkflowDefinition,
  catalog: NodeTypeCatalog,
): readonly WorkflowWarning[] {
  const limit = limitOf(plan.config);
  if (limit === null) return [];
  const definitions = new Map(nodes.map((node, index) => [node.id, { node, path: at('nodes', index) }]));
  /** The longest total wait from the start of the execution to the end of a node, by node id, in milliseconds. */
  const waitedMs = new Map<string, number>();
  return plan.order.flatMap(({ id, needs, body }) => {
    const own = definitions.get(id);
    if (own === undefined) return [];
    const before = Math.max(0, ...needs.map((need) => waitedMs.get(need) ?? 0));
    const wait = literalWait(own.node, own.path, catalog);
    waitedMs.set(id, before + (wait?.ms ?? 0));
    const inner = body === null ? [] : bodyWarnings(own.node, own.path, catalog, limit);
    // Only the node whose wait first exceeds the time limit gets a warning, not the nodes after it.
    if (wait === null || before > limit.ms || before + wait.ms <= limit.ms) return inner;
    return [...inner, warning(wait, wait.ms > limit.ms ? 0 : before, limit)];
  });
}

function limitOf({ timeout_seconds, timeout_counts, deadline_seconds }: WorkflowConfig): TimeLimit | null {
  if (timeout_counts === 'elapsed')
    return {
      code: 'wait_exceeds_timeout',
      ms: timeout_seconds * 1_000,
      says: `the execution times out ${inWords(timeout_seconds)} after its start, including waits`,
      remedy: (needsMs) =>
        needsMs < MAX_TIMEOUT_SECONDS * 1_000
          ? `Set config.timeout_counts to "active", so that waits do not count, or raise config.timeout_seconds above ${Math.ceil(needsMs / 1_000)}.`
          : 'Set config.timeout_counts to "active", so that waits do not count.',
    };
  if (deadline_seconds === null) return null;
  return {
    code: 'wait_exceeds_deadline',
    ms: deadline_seconds * 1_000,
    says: `the execution ends at its deadline, ${inWords(deadline_seconds)} after its start`,
    remedy: (needsMs) => `Raise config.deadline_seconds above ${Math.ceil(needsMs / 1_000)}, or remove it.`,
  };
}

interface PlacedWait {
  readonly path: string;
  readonly ms: number;
}

function literalWait(node: NodeDefinition, path: string, catalog: NodeTypeCatalog): PlacedWait | null {
  const wait = catalog.find(node.type)?.literalWait(node.with ?? {}) ?? null;
  return wait === null ? null : { path: at(path, 'with', wait.path), ms: wait.ms };
}

function bodyWarnings(
  loop: NodeDefinition,
  path: string,
  catalog: NodeTypeCatalog,
  limit: TimeLimit,
): readonly WorkflowWarning[] {
  const inner = (loop.with?.['nodes'] ?? []) as unknown as readonly NodeDefinition[];
  return inner.flatMap((node, index) => {
    const wait = literalWait(node, at(path, 'with.nodes', index), catalog);
    return wait === null || wait.ms <= limit.ms ? [] : [warning(wait, 0, limit)];
  });
}

/** @param beforeMs maximum total duration of the previous waits; 0 if the wait alone is too long */
function warning({ path, ms }: PlacedWait, beforeMs: number, limit: TimeLimit): WorkflowWarning {
  const what =
    beforeMs === 0
      ? `This wait may take ${inWords(ms / 1_000)}`
      : `This wait and the previous waits may take ${inWords((beforeMs + ms) / 1_000)}`;
  return {
    path,
    code: limit.code,
    message: `${what}, but ${limit.says}. ${limit.remedy(beforeMs + ms)}`,
  };
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Formats a duration in its largest whole unit, such as `30 days` or `90 minutes`. */
function inWords(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [unit, size] = UNITS.find(([, own]) => whole >= own && whole % own === 0) ?? ['second', 1];
  const count = whole / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
