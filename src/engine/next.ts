import type { ExecutionError, JournalEvent } from './event.js';
import { evaluated, scopeOf, type Surroundings } from './evaluation.js';
import type { Json, JsonObject } from './json.js';
import type { NodeError, Resumption } from './node-type.js';
import type { Plan, PlannedNode } from './plan.js';
import { elapsed, isoInstant, nodeEvent, nodeFailed, progressOf, workflowEvent } from './recorded.js';
import { type ExecutionState, isFinal, isSettled, type NodeState, nodeState, PENDING } from './state.js';

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

const NOTHING_TO_DO: Decision = { events: [], runs: [], wakeAt: null };

/**
 * The one decision of the engine: given a plan, what the journal came to and the time, what happens next.
 * Pure: the same arguments give the same decision, so a run may be thrown away and decided again.
 */
export function next(plan: Plan, state: ExecutionState, now: number, surroundings: Surroundings): Decision {
  if (isFinal(state.status)) return NOTHING_TO_DO;
  const timeoutAt = state.timeoutAt ?? now + plan.config.timeout_seconds * 1_000;
  if (timeoutAt <= now) return { events: [timedOut(plan, state, now)], runs: [], wakeAt: null };
  if (state.status === 'paused') return { ...NOTHING_TO_DO, wakeAt: timeoutAt };
  return new Deciding(plan, state, now, timeoutAt, surroundings).decide();
}

/** Gathers one decision. Nodes that it settles itself (skipped, failed expressions) count for those after them. */
class Deciding {
  private readonly events: JournalEvent[] = [];
  private readonly runs: RunOrder[] = [];
  private readonly settledHere = new Map<string, NodeState>();
  private wakeAt: number;

  constructor(
    private readonly plan: Plan,
    private readonly state: ExecutionState,
    private readonly now: number,
    timeoutAt: number,
    private readonly surroundings: Surroundings,
  ) {
    this.wakeAt = timeoutAt;
  }

  decide(): Decision {
    const { plan, state, now } = this;
    if (state.startedAt === null)
      this.events.push(
        workflowEvent('workflow.started', now, {
          status: 'running',
          workflow_version: state.workflowVersion,
          timeout_at: isoInstant(this.wakeAt),
          progress: progressOf(plan, state, 0),
        }),
      );
    for (const node of plan.order) {
      this.visit(node);
      const failure = this.failureOf(node);
      if (failure !== null) return this.end({ kind: 'failed', error: failure });
    }
    if (state.settled + this.settledHere.size === plan.order.length) return this.end(this.outcome());
    if (state.status === 'waiting' && this.events.length > 0)
      this.events.unshift(workflowEvent('workflow.resumed', now, { status: 'running', reason: 'timer' }));
    return { events: this.events, runs: this.runs, wakeAt: this.wakeAt };
  }

  private nodeStateOf(id: string): NodeState {
    return this.settledHere.get(id) ?? nodeState(this.state, id);
  }

  private visit(node: PlannedNode): void {
    const own = nodeState(this.state, node.id);
    if (own.status === 'pending') this.begin(node, own);
    else if (own.status === 'retrying' || own.status === 'waiting') this.goOn(node, own);
  }

  private goOn(node: PlannedNode, own: NodeState): void {
    if (own.wakeAt === null) return;
    if (own.wakeAt > this.now) this.wakeAt = Math.min(this.wakeAt, own.wakeAt);
    else if (own.status === 'retrying') this.order(node, own.attempt + 1, null);
    else this.order(node, own.attempt, { kind: 'timer', at: this.now });
  }

  private begin(node: PlannedNode, own: NodeState): void {
    const needs = node.needs.map((id) => this.nodeStateOf(id).status);
    if (!needs.every(isSettled)) return;
    if (needs.length > 0 && needs.every((status) => status === 'skipped')) return this.skip(node, 'needs_skipped');
    const isFirst = own.attempt === 0 && own.resumption === null;
    const { condition } = node;
    if (isFirst && condition !== null) {
      const holds = evaluated(`the condition of "${node.id}"`, () => condition.evaluate(this.scope(node)));
      if (!holds.ok) return this.failBeforeStart(node, 1, holds.error);
      if (typeof holds.value !== 'boolean')
        return this.failBeforeStart(node, 1, {
          code: 'expression_error',
          message: `The condition "${condition.source}" gave ${JSON.stringify(holds.value)}; a condition gives true or false.`,
        });
      if (!holds.value) return this.skip(node, 'condition_false');
    }
    this.order(node, own.attempt + 1, own.resumption);
  }

  private order(node: PlannedNode, attempt: number, resumption: Resumption | null): void {
    if (this.state.running + this.runs.length >= this.plan.config.max_concurrency) return;
    const input = evaluated(`the parameters of "${node.id}"`, () => node.with.render(this.scope(node)) as JsonObject);
    if (!input.ok) return this.failBeforeStart(node, attempt, input.error);
    this.runs.push({ node, attempt, input: input.value, resumption });
    this.events.push(
      nodeEvent('workflow.node.started', this.now, node, attempt, {
        status: 'running',
        input: this.withoutSecrets(node, input.value),
        ...(resumption === null ? {} : { resumption }),
      }),
    );
  }

  /** What is recorded of an input: the same template, filled in with the secrets' names. */
  private withoutSecrets(node: PlannedNode, input: JsonObject): JsonObject {
    const names = [...node.with.references.secrets];
    if (names.length === 0) return input;
    const masked = Object.fromEntries(names.map((name) => [name, `[secret ${name}]`]));
    const rendered = evaluated('', () => node.with.render({ ...this.scope(node), secrets: masked }) as JsonObject);
    return rendered.ok ? rendered.value : {};
  }

  private scope(node: PlannedNode): ReturnType<typeof scopeOf> {
    return scopeOf(this.state.input, node.needs, (id) => this.nodeStateOf(id), this.surroundings);
  }

  private skip(node: PlannedNode, reason: 'condition_false' | 'needs_skipped'): void {
    this.settledHere.set(node.id, { ...PENDING, status: 'skipped' });
    this.events.push(
      nodeEvent('workflow.node.skipped', this.now, node, 1, {
        status: 'skipped',
        reason,
        progress: progressOf(this.plan, this.state, this.settledHere.size),
      }),
    );
  }

  /** An expression that fails would fail again: no retry. */
  private failBeforeStart(node: PlannedNode, attempt: number, error: NodeError): void {
    const continued = node.onError === 'continue';
    this.settledHere.set(node.id, { ...PENDING, status: 'failed', attempt, error, continued });
    const progress = progressOf(this.plan, this.state, this.settledHere.size);
    this.events.push(nodeFailed(node, attempt, this.now, error, 0, progress));
  }

  private failureOf(node: PlannedNode): ExecutionError | null {
    const { status, continued, error } = this.nodeStateOf(node.id);
    if (status !== 'failed' || continued || error === null) return null;
    return {
      type: error.code,
      message: error.message,
      node_id: node.id,
      ...(error.details === undefined ? {} : { details: error.details }),
    };
  }

  private outcome(): Outcome {
    const { plan, state } = this;
    const states = (id: string): NodeState => this.nodeStateOf(id);
    const { output: template } = plan;
    if (template !== null) {
      const rendered = evaluated('the output of the workflow', () =>
        template.render(scopeOf(state.input, [...template.references.nodes], states, this.surroundings)),
      );
      if (rendered.ok) return { kind: 'completed', output: rendered.value };
      return { kind: 'failed', error: { type: rendered.error.code, message: rendered.error.message, node_id: null } };
    }
    const [only, ...others] = plan.last;
    if (only === undefined) return { kind: 'completed', output: null };
    if (others.length === 0) return { kind: 'completed', output: states(only.id).output };
    return { kind: 'completed', output: Object.fromEntries(plan.last.map(({ id }) => [id, states(id).output])) };
  }

  private end(outcome: Outcome): Decision {
    const { plan, state, now } = this;
    const common = { duration_ms: elapsed(state, now), progress: progressOf(plan, state, this.settledHere.size) };
    // What was ordered in this same decision never ran: the record must not say that it started.
    const events = this.events.filter(({ type }) => type !== 'workflow.node.started');
    events.push(
      outcome.kind === 'completed'
        ? workflowEvent('workflow.completed', now, { status: 'completed', output: outcome.output, ...common })
        : workflowEvent('workflow.failed', now, { status: 'failed', error: outcome.error, ...common }),
    );
    return { events, runs: [], wakeAt: null };
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
