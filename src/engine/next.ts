import type { ExecutionError, JournalEvent } from './event.js';
import { evaluated, type Evaluated, scopeOf, type Surroundings } from './evaluation.js';
import type { Expression, ExpressionScope } from './expression.js';
import { fold } from './fold.js';
import type { Json, JsonObject } from './json.js';
import type { NodeError, Resumption } from './node-type.js';
import type { Plan, PlannedNode } from './plan.js';
import { elapsed, isoInstant, nodeEvent, nodeFailed, progressOf, workflowEvent } from './recorded.js';
import { type ExecutionState, isFinal, isSettled, type NodeState, nodeState } from './state.js';

/** What a run is to do now. */
export interface Decision {
  /**
   * What to append, in order. It already holds the `started` event of every order in `runs`, and ends with
   * the final event where the execution ends.
   */
  readonly events: readonly JournalEvent[];
  /** Attempts to run. One that is not `pure` runs only after `events` are durable (commit before effect). */
  readonly runs: readonly RunOrder[];
  /** Epoch milliseconds at which there will be something to decide with no further event; null if never. */
  readonly wakeAt: number | null;
}

export interface RunOrder {
  readonly node: PlannedNode;
  readonly attempt: number;
  /** The resolved `with`, secrets included: never recorded, logged or shown. */
  readonly input: JsonObject;
  readonly resumption: Resumption | null;
}

/**
 * The one decision of the engine: given a plan, what the journal came to and the time, what happens next.
 * Pure: the same arguments give the same decision, so a run may be thrown away and decided again.
 */
export function next(plan: Plan, state: ExecutionState, now: number, surroundings: Surroundings): Decision {
  if (isFinal(state.status)) return { events: [], runs: [], wakeAt: null };
  const timeoutAt = state.timeoutAt ?? now + plan.config.timeout_seconds * 1_000;
  if (timeoutAt <= now) return { events: [timedOut(plan, state, now)], runs: [], wakeAt: null };
  if (state.status === 'paused') return { events: [], runs: [], wakeAt: timeoutAt };
  return new Deciding(plan, state, now, timeoutAt, surroundings).decide();
}

/** Gathers one decision; each event that it makes is folded in, so that it counts for the nodes after it. */
class Deciding {
  private readonly events: JournalEvent[] = [];
  private readonly runs: RunOrder[] = [];
  private failure: ExecutionError | null = null;

  /** @param wakeAt the timeout at first; brought forward to the earliest wake-up */
  constructor(
    private readonly plan: Plan,
    private state: ExecutionState,
    private readonly now: number,
    private wakeAt: number,
    private readonly surroundings: Surroundings,
  ) {}

  decide(): Decision {
    const { plan, now } = this;
    if (this.state.startedAt === null)
      this.record(
        workflowEvent('workflow.started', now, {
          status: 'running',
          workflow_version: this.state.workflowVersion,
          timeout_at: isoInstant(this.wakeAt),
          progress: progressOf(plan, this.state, 0),
        }),
      );
    for (const node of plan.order) {
      this.visit(node);
      if (this.failure !== null) return this.end({ kind: 'failed', error: this.failure });
    }
    if (this.state.settled === plan.order.length) return this.end(this.outcome());
    return { events: this.events, runs: this.runs, wakeAt: this.wakeAt };
  }

  private record(event: JournalEvent): void {
    if (this.state.status === 'waiting')
      this.append(workflowEvent('workflow.resumed', this.now, { status: 'running', reason: 'timer' }));
    this.append(event);
  }

  private append(event: JournalEvent): void {
    this.events.push(event);
    this.state = fold([event], this.state);
  }

  private stateOf(id: string): NodeState {
    return nodeState(this.state, id);
  }

  private get isFull(): boolean {
    return this.state.running >= this.plan.config.max_concurrency;
  }

  private visit(node: PlannedNode): void {
    const own = this.stateOf(node.id);
    if (own.status === 'pending') this.begin(node, own);
    else if (own.status === 'retrying' || own.status === 'waiting') this.goOn(node, own);
    else if (own.status === 'failed' && own.error !== null) this.fail(node, own.error);
  }

  private goOn(node: PlannedNode, own: NodeState): void {
    if (own.wakeAt === null) return;
    if (own.wakeAt > this.now) this.wakeAt = Math.min(this.wakeAt, own.wakeAt);
    else if (this.isFull) return;
    else if (own.status === 'retrying') this.order(node, own.attempt + 1, null);
    else this.order(node, own.attempt, { kind: 'timer', at: this.now });
  }

  private begin(node: PlannedNode, own: NodeState): void {
    const { needs } = node;
    if (!needs.every((id) => isSettled(this.stateOf(id).status))) return;
    if (needs.length > 0 && needs.every((id) => this.stateOf(id).status === 'skipped'))
      return this.skip(node, 'needs_skipped');
    if (this.isFull) return;
    // What was begun once and interrupted begins again without being asked whether it may.
    if (own.startedAt === null && node.condition !== null) {
      const holds = this.holds(node.condition, node);
      if (!holds.ok) return this.failBeforeStart(node, 1, holds.error);
      if (!holds.value) return this.skip(node, 'condition_false');
    }
    this.order(node, own.attempt + 1, own.resumption);
  }

  private holds(condition: Expression, node: PlannedNode): Evaluated<boolean> {
    const result = evaluated(`the condition of "${node.id}"`, () =>
      condition.evaluate(this.scope(node.needs)),
    );
    if (!result.ok) return result;
    if (typeof result.value === 'boolean') return { ok: true, value: result.value };
    const value = JSON.stringify(result.value).slice(0, 100);
    const message = `The condition "${condition.source}" gave ${value}; a condition gives true or false.`;
    return { ok: false, error: { code: 'expression_error', message } };
  }

  private order(node: PlannedNode, attempt: number, resumption: Resumption | null): void {
    const input = evaluated(
      `the parameters of "${node.id}"`,
      () => node.with.render(this.scope(node.needs)) as JsonObject,
    );
    if (!input.ok) return this.failBeforeStart(node, attempt, input.error);
    const recorded = this.withoutSecrets(node, input.value);
    this.runs.push({ node, attempt, input: input.value, resumption });
    this.record(
      nodeEvent('workflow.node.started', this.now, node, attempt, {
        status: 'running',
        input: recorded,
        ...(resumption === null ? {} : { resumption }),
      }),
    );
  }

  /** What is recorded of an input: the same template, filled in with the secrets' names. */
  private withoutSecrets(node: PlannedNode, input: JsonObject): JsonObject {
    const names = [...node.with.references.secrets];
    if (names.length === 0) return input;
    const masked = Object.fromEntries(names.map((name) => [name, `[secret ${name}]`]));
    const rendered = evaluated(
      '',
      () => node.with.render({ ...this.scope(node.needs), secrets: masked }) as JsonObject,
    );
    return rendered.ok ? rendered.value : {};
  }

  private scope(nodeIds: readonly string[]): ExpressionScope {
    return scopeOf(this.state, nodeIds, this.surroundings);
  }

  private skip(node: PlannedNode, reason: 'condition_false' | 'needs_skipped'): void {
    const progress = progressOf(this.plan, this.state, 1);
    this.record(
      nodeEvent('workflow.node.skipped', this.now, node, 1, { status: 'skipped', reason, progress }),
    );
  }

  /** An expression that fails would fail again: no retry. */
  private failBeforeStart(node: PlannedNode, attempt: number, error: NodeError): void {
    this.record(nodeFailed(node, attempt, this.now, error, 0, progressOf(this.plan, this.state, 1)));
    this.fail(node, error);
  }

  private fail(node: PlannedNode, error: NodeError): void {
    if (node.onError === 'continue') return;
    const { code, message, ...details } = error;
    this.failure = { type: code, message, node_id: node.id, ...details };
  }

  private outcome(): Outcome {
    const { output, last } = this.plan;
    if (output !== null) {
      const nodeIds = [...output.references.nodes];
      const rendered = evaluated('the output of the workflow', () => output.render(this.scope(nodeIds)));
      if (rendered.ok) return { kind: 'completed', output: rendered.value };
      const { code, message } = rendered.error;
      return { kind: 'failed', error: { type: code, message, node_id: null } };
    }
    const outputs = last.map(({ id }) => [id, this.stateOf(id).output] as const);
    const [only, ...others] = outputs;
    if (only === undefined) return { kind: 'completed', output: null };
    return { kind: 'completed', output: others.length === 0 ? only[1] : Object.fromEntries(outputs) };
  }

  private end(outcome: Outcome): Decision {
    const { plan, state, now } = this;
    const common = { duration_ms: elapsed(state, now), progress: progressOf(plan, state, 0) };
    this.record(
      outcome.kind === 'completed'
        ? workflowEvent('workflow.completed', now, { status: 'completed', output: outcome.output, ...common })
        : workflowEvent('workflow.failed', now, { status: 'failed', error: outcome.error, ...common }),
    );
    // What was ordered in this same decision never ran: the record must not say that it started.
    return {
      events: this.events.filter(({ type }) => type !== 'workflow.node.started'),
      runs: [],
      wakeAt: null,
    };
  }
}

type Outcome =
  | { readonly kind: 'completed'; readonly output: Json }
  | { readonly kind: 'failed'; readonly error: ExecutionError };

function timedOut(plan: Plan, state: ExecutionState, now: number): JournalEvent {
  return workflowEvent('workflow.failed', now, {
    status: 'timed_out',
    error: {
      type: 'execution_timeout',
      message: `The execution took longer than its ${plan.config.timeout_seconds} seconds.`,
      node_id: null,
    },
    duration_ms: elapsed(state, now),
    progress: progressOf(plan, state, 0),
  });
}
