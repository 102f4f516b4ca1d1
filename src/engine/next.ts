import {
  type EventDataByType,
  type ExecutionError,
  isFinal,
  isSettled,
  type JournalEvent,
  type NodeError,
  type Progress,
  type RecordedResumption,
  type Resumption,
} from '../execution-events/index.js';
import { INLINE_LIMIT, LongValue, readTextInMemory, type RecordedValue } from '../long-values/index.js';
import {
  evaluateCondition,
  type Evaluated,
  tryEvaluate,
  graphOutput,
  longIfLarge,
  renderWithSize,
  scopeOf,
  type SecretInput,
  secretInputOf,
  type EvaluationContext,
  withSecretNames,
} from './evaluation.js';
import type { ExpressionScope, JsonObject } from '../expressions/index.js';
import { fold } from './fold.js';
import { type Iteration, keyAt } from './iteration.js';
import {
  itemFailure,
  iterationOf,
  type LoopEnd,
  loopInput,
  progressToRecord,
  runningLoop,
  type RunningLoop,
  withResults,
} from './loop.js';
import {
  type ConsumedMessage,
  type Message,
  nextReminderAt,
  readResumption,
  resumptionBy,
} from './message.js';
import { nodeTimeout } from '../node-contract/index.js';
import type { Plan } from './plan.js';
import { isLoop, type PlannedLoop, type PlannedNode } from './planned-node.js';
import {
  elapsed,
  isoInstant,
  nodeEvent,
  nodeFailed,
  progressOf,
  progressWith,
  workflowEvent,
} from './recorded.js';
import { endsAt, reminded, timedOut } from './settle.js';
import { type ExecutionState, type NodeState, nodeState } from './state.js';

/** What an execution does next: the events to append, and the attempts that the run loop starts. */
export interface Decision {
  /**
   * Events to append, in order, including `workflow.node.started` of every attempt in `runs`. If the execution ends,
   * the last event says how, such as `workflow.completed`.
   */
  readonly events: readonly JournalEvent[];
  /**
   * State of the execution after `events`. For each ended item of a loop, the state contains the result instead of node
   * states.
   */
  readonly state: ExecutionState;
  /** Attempts to run. An attempt that is not `pure` must wait until `events` are durable (commit before effect). */
  readonly runs: readonly RunOrder[];
  /** Inbox messages whose effect is in `events`. The commit that appends `events` deletes these messages. */
  readonly consumed: readonly ConsumedMessage[];
  /**
   * Epoch milliseconds of the next decision, unless a message or the end of an attempt causes an earlier decision; null
   * if no timer or timeout is pending.
   */
  readonly wakeAt: number | null;
  /** Approximate size of the inputs of the attempts in `runs`, in characters. */
  readonly inputSize: number;
}

export interface RunOrder {
  readonly node: PlannedNode;
  readonly attempt: number;
  /** The loop iteration of the node; null outside of loops. */
  readonly iteration: Iteration | null;
  /** The input of the attempt as recorded, with placeholders instead of the values of secrets. */
  readonly input: JsonObject;
  /** Argument of `withSecrets`, which fills in the values of secrets; absent if the parameters reference no secret. */
  readonly secrets?: SecretInput;
  readonly resumption: Resumption | null;
}

/**
 * Decides what an execution does next. The decision depends only on the arguments: equal arguments give an
 * equal decision. The caller may therefore discard a decision and repeat it.
 * @param inbox messages that are not consumed yet, in the order of arrival
 */
export function next(
  plan: Plan,
  state: ExecutionState,
  now: number,
  evaluation: EvaluationContext,
  inbox: readonly Message[] = [],
): Decision {
  if (isFinal(state.status)) return { ...NO_DECISION, events: [], state, consumed: [] };
  if ((endsAt(state) ?? Infinity) <= now) {
    const events = [timedOut(plan.order.length, plan.config.timeout_seconds, state, now)];
    return { ...NO_DECISION, events, state: fold(events, state), consumed: [] };
  }
  const afterControl = applyControlMessages(state, now, inbox);
  // A timeout that counts elapsed time includes pauses, so a paused execution can time out. A timeout that counts
  // active time does not include pauses.
  if (afterControl.state.status === 'paused')
    return { ...NO_DECISION, ...afterControl, wakeAt: endsAt(afterControl.state) };
  const { startedAt, scheduledFor } = state;
  if (startedAt === null && scheduledFor !== null && scheduledFor > now)
    return { ...NO_DECISION, ...afterControl, wakeAt: scheduledFor };
  return new DecisionBuilder(plan, state, afterControl, now, evaluation, inbox).decide();
}

const NO_DECISION: Pick<Decision, 'runs' | 'wakeAt' | 'inputSize'> = { runs: [], wakeAt: null, inputSize: 0 };

/** State and events of an execution after its requests to pause and resume were applied. */
interface ControlResult {
  readonly state: ExecutionState;
  readonly events: readonly JournalEvent[];
  readonly consumed: readonly ConsumedMessage[];
}

/** Applies the requests to pause and resume in order. A request that changes nothing is also consumed. */
function applyControlMessages(before: ExecutionState, now: number, inbox: readonly Message[]): ControlResult {
  let state = before;
  const events: JournalEvent[] = [];
  const consumed: ConsumedMessage[] = [];
  for (const message of inbox) {
    if (message.kind !== 'pause' && message.kind !== 'resume') continue;
    if ((message.kind === 'pause') !== (state.status === 'paused')) {
      const event =
        message.kind === 'pause'
          ? workflowEvent('workflow.paused', now, { status: 'paused', reason: message.reason })
          : workflowEvent('workflow.resumed', now, {
              status: state.startedAt === null ? 'queued' : 'running',
              reason: 'request',
            });
      events.push(event);
      state = fold([event], state);
    }
    consumed.push({ id: message.id, sequence: state.sequence });
  }
  return { state, events, consumed };
}

/**
 * Number of events at which loops and reminders stop adding events to a decision. The limit bounds the size of a
 * commit.
 */
const MAX_EVENTS = 256;

/** Size of inputs, in characters, after which no further nodes start in a decision. The limit bounds memory. */
const MAX_INPUT_SIZE = 4 * 1024 * 1024;

/** Builds one decision. Each event is immediately folded into the state, so that nodes visited later see its effect. */
class DecisionBuilder {
  private readonly events: JournalEvent[];
  private readonly runs: RunOrder[] = [];
  private readonly consumed: ConsumedMessage[];
  private readonly inbox: Set<Message>;
  private state: ExecutionState;
  /**
   * Epoch milliseconds of the next wake-up: the earliest of the execution's time limit and the wake-ups found so far.
   */
  private wakeAt: number;
  private failure: ExecutionError | null = null;
  private inputSize = 0;
  /** The loop iteration whose nodes are visited; null outside of loops. */
  private iteration: Iteration | null = null;

  constructor(
    private readonly plan: Plan,
    private readonly before: ExecutionState,
    private readonly afterControl: ControlResult,
    private readonly now: number,
    private readonly evaluation: EvaluationContext,
    inbox: readonly Message[],
  ) {
    this.state = afterControl.state;
    this.events = [...afterControl.events];
    this.consumed = [...afterControl.consumed];
    this.inbox = new Set(inbox);
    this.wakeAt = latestEnd(plan, afterControl.state, now);
  }

  decide(): Decision {
    const { plan, now } = this;
    if (this.state.startedAt === null)
      this.record(
        workflowEvent('workflow.started', now, {
          status: 'running',
          workflow_version: this.state.workflowVersion,
          ...this.limits(),
          progress: progressOf(plan, this.state, 0),
        }),
      );
    for (const node of plan.order) {
      this.visit(node);
      if (this.failure !== null) return this.end({ kind: 'failed', error: this.failure });
    }
    if (this.state.settled === plan.order.length) return this.end(this.outcome());
    const { events, state, runs, consumed, inputSize } = this;
    const wakeAt = this.isInputLimitReached ? now : this.wakeAt;
    return { events, state, runs, consumed, wakeAt: wakeAt === Infinity ? null : wakeAt, inputSize };
  }

  private limits(): Pick<
    EventDataByType['workflow.started'],
    'timeout_at' | 'timeout_counts' | 'deadline_at'
  > {
    const { timeout_counts, timeout_seconds, deadline_seconds } = this.plan.config;
    const timeout_at = isoInstant(this.now + timeout_seconds * 1_000);
    if (timeout_counts !== 'active') return { timeout_at };
    return {
      timeout_at,
      timeout_counts,
      ...(deadline_seconds === null ? {} : { deadline_at: isoInstant(this.now + deadline_seconds * 1_000) }),
    };
  }

  private record(event: JournalEvent, reason: ResumptionReason = 'timer'): void {
    if (this.state.status === 'waiting')
      this.append(workflowEvent('workflow.resumed', this.now, { status: 'running', reason }));
    this.append(event);
  }

  private append(event: JournalEvent): void {
    this.events.push(event);
    this.state = fold([event], this.state);
  }

  private stateOf(id: string): NodeState {
    return nodeState(this.state, id, this.iteration);
  }

  private get canStartNode(): boolean {
    return !this.isInputLimitReached && this.state.running < this.plan.config.max_concurrency;
  }

  private get isEventLimitReached(): boolean {
    return this.events.length >= MAX_EVENTS;
  }

  /**
   * Whether the inputs of this decision are larger than the limit `MAX_INPUT_SIZE`. If so, further nodes
   * start in the next decision.
   */
  private get isInputLimitReached(): boolean {
    return this.inputSize > MAX_INPUT_SIZE;
  }

  private visit(node: PlannedNode): void {
    const own = this.stateOf(node.id);
    if (own.status === 'pending') this.startIfReady(node, own);
    else if (own.status === 'retrying' || own.status === 'waiting') this.resumeAttempt(node, own);
    else if (own.status === 'failed' && own.error !== null) this.fail(node, own.error);
    if (isLoop(node)) this.advanceLoop(node);
  }

  /**
   * Starts items of a loop and collects results. Stops when the loop must wait for an attempt, a timer or a message, or
   * when the decision has its maximum number of events.
   */
  private advanceLoop(node: PlannedLoop): void {
    for (let before: ExecutionState | null = null; ; before = this.state) {
      const known = runningLoop(this.state, node);
      if (known === null) return;
      const { state, running, end } = withResults(this.state, known, this.evaluation);
      this.state = state;
      if (end !== null) return this.endLoop(running, end);
      if (node.timeoutMs !== null) {
        const deadline = running.loop.startedAt + node.timeoutMs;
        if (deadline <= this.now)
          return this.endLoop(running, { kind: 'failure', error: nodeTimeout(node.timeoutMs) });
        this.wakeAt = Math.min(this.wakeAt, deadline);
      }
      if (this.isEventLimitReached) this.wakeAt = this.now;
      if (this.isEventLimitReached || state === before) return this.reportProgress(running);
      this.visitItems(running);
    }
  }

  /** Advances the items of a loop that have started, then starts further items up to `max_concurrency`. */
  private visitItems(running: RunningLoop): void {
    const { open, begun: nextIndex, atOnce: maxConcurrency, items } = running.loop;
    for (const index of open) this.visitItem(running, index);
    const end = Math.min(nextIndex + maxConcurrency - open.length, items.length);
    for (let index = nextIndex; index < end && this.canStartNode; index += 1) this.visitItem(running, index);
  }

  private visitItem(running: RunningLoop, index: number): void {
    const { node } = running;
    const iteration = iterationOf(running, index);
    if (itemFailure(this.state, node, iteration) !== null) return;
    this.iteration = iteration;
    for (const inner of node.body.order) {
      this.visit(inner);
      if (inner.onError === 'fail' && this.stateOf(inner.id).status === 'failed') break;
    }
    this.iteration = null;
  }

  private reportProgress(running: RunningLoop): void {
    const progress = progressToRecord(running, this.now);
    if (progress === null) return;
    const { node, own } = running;
    const data = { status: 'running', ...progress } as const;
    this.record(nodeEvent('workflow.node.progress', this.now, node, own.attempt, data));
  }

  private endLoop({ node, own, loop }: RunningLoop, end: LoopEnd): void {
    const duration_ms = Math.max(0, this.now - loop.startedAt);
    const progress = progressOf(this.plan, this.state, 1);
    if (end.kind === 'failure') {
      this.record(nodeFailed(node, own.attempt, this.now, end.error, duration_ms, progress));
      return this.fail(node, end.error);
    }
    // An output up to `INLINE_LIMIT` is not serialized here, because `results.length` already contains the
    // length of the output as JSON.
    const output =
      loop.results.length > INLINE_LIMIT ? LongValue.ofText(JSON.stringify(end.output)) : end.output;
    const data = { status: 'completed', output, duration_ms, cached: false, progress } as const;
    this.record(nodeEvent('workflow.node.complete', this.now, node, own.attempt, data));
  }

  private resumeAttempt(node: PlannedNode, own: NodeState): void {
    if (this.resumeByMessage(node, own)) return;
    if (own.wakeAt === null || own.wakeAt > this.now) this.remind(node, own);
    if (own.wakeAt === null) return;
    if (own.wakeAt > this.now) this.wakeAt = Math.min(this.wakeAt, own.wakeAt);
    else if (!this.canStartNode) return;
    else if (own.status === 'retrying') this.startNode(node, own.attempt + 1, null);
    else this.startNode(node, own.attempt, { kind: 'timer', at: this.now });
  }

  /** Records each due reminder of a wait once. A reminder does not wake the execution or change its status. */
  private remind(node: PlannedNode, { awaits, attempt }: NodeState): void {
    if (awaits?.kind !== 'signal' || awaits.reminders === undefined) return;
    let { reminders } = awaits;
    for (let dueAt = nextReminderAt(reminders); ; dueAt = nextReminderAt(reminders)) {
      if (this.isEventLimitReached || dueAt > this.now) {
        this.wakeAt = Math.min(this.wakeAt, this.isEventLimitReached ? this.now : dueAt);
        return;
      }
      reminders = { ...reminders, sent: reminders.sent + 1 };
      this.append(reminded(node, attempt, this.iteration, awaits.name, reminders.sent, this.now));
    }
  }

  /**
   * Resumes a waiting node if the inbox has a matching message, even if the node's timer is also due.
   * @returns whether a message matches
   */
  private resumeByMessage(node: PlannedNode, { awaits, attempt }: NodeState): boolean {
    if (awaits === null) return false;
    for (const message of this.inbox) {
      const resumption = resumptionBy(message, awaits, keyAt(node.id, this.iteration), attempt);
      if (resumption === null) continue;
      if (this.canStartNode) {
        this.startNode(node, attempt, resumption);
        this.inbox.delete(message);
        this.consumed.push({ id: message.id, sequence: this.state.sequence });
      }
      return true;
    }
    return false;
  }

  private startIfReady(node: PlannedNode, own: NodeState): void {
    const { needs } = node;
    if (!needs.every((id) => isSettled(this.stateOf(id).status))) return;
    if (needs.length > 0 && needs.every((id) => this.stateOf(id).status === 'skipped'))
      return this.skip(node, 'needs_skipped');
    if (!this.canStartNode) return;
    // A node's condition is evaluated only once. An interrupted node starts again without another evaluation.
    if (own.startedAt === null && node.condition !== null) {
      const holds = evaluateCondition(node.condition, node.id, () => this.scope(node));
      if (!holds.ok) return this.failBeforeStart(node, 1, holds.error);
      if (!holds.value) return this.skip(node, 'condition_false');
    }
    this.startNode(node, own.attempt + 1, own.resumption);
  }

  private startNode(node: PlannedNode, attempt: number, recorded: RecordedResumption | null): void {
    const resumed = readResumption(recorded, this.evaluation.read ?? readTextInMemory);
    if ('error' in resumed) return this.failBeforeStart(node, attempt, resumed.error, 'child');
    const { resumption } = resumed;
    const reason = resumption?.kind ?? 'timer';
    const rendered = this.renderInput(node);
    if (!rendered.ok) return this.failBeforeStart(node, attempt, rendered.error, reason);
    const { input, size, secrets } = rendered.value;
    this.inputSize += size;
    if (isLoop(node)) return this.startLoop(node, attempt, input);
    const run: RunOrder = { node, attempt, iteration: this.iteration, input, resumption };
    this.runs.push(secrets === undefined ? run : { ...run, secrets });
    const data = {
      input: longIfLarge(input, size),
      ...(resumption === null ? {} : { resumption }),
    };
    this.recordStart(node, attempt, data, reason);
  }

  /**
   * Renders the input of a node, with placeholders instead of the values of secrets. If the parameters
   * reference secrets, the attempt renders the parameters again with the values of the secrets.
   */
  private renderInput(
    node: PlannedNode,
  ): Evaluated<Pick<RunOrder, 'input' | 'secrets'> & { readonly size: number }> {
    if (node.with.references.secrets.size > 0) {
      const secrets = secretInputOf(node, this.scope(node));
      const { value: input, size } = withSecretNames(secrets);
      return { ok: true, value: { input, size, secrets } };
    }
    const rendered = tryEvaluate(`the parameters of "${node.id}"`, () =>
      renderWithSize(node.with, this.scope(node)),
    );
    if (!rendered.ok) return rendered;
    return { ok: true, value: { input: rendered.value.value as JsonObject, size: rendered.value.size } };
  }

  /** Starts a loop. Adds no attempt to `runs`, because the engine itself runs a loop, item by item. */
  private startLoop(node: PlannedLoop, attempt: number, parameters: JsonObject): void {
    const input = loopInput(parameters);
    if (!input.ok) return this.failBeforeStart(node, attempt, input.error);
    this.recordStart(node, attempt, { input: input.value, iterations: input.value.items.length });
  }

  private recordStart(
    node: PlannedNode,
    attempt: number,
    data: Pick<EventDataByType['workflow.node.started'], 'input' | 'iterations' | 'resumption'>,
    reason?: ResumptionReason,
  ): void {
    const whole = { status: 'running', ...data } as const;
    this.record(nodeEvent('workflow.node.started', this.now, node, attempt, whole, this.iteration), reason);
  }

  private scope({ needs }: PlannedNode): ExpressionScope {
    return scopeOf(this.state, needs, this.evaluation, this.iteration);
  }

  private skip(node: PlannedNode, reason: 'condition_false' | 'needs_skipped'): void {
    const data = { status: 'skipped', reason, progress: this.progressWithOne() } as const;
    this.record(nodeEvent('workflow.node.skipped', this.now, node, 1, data, this.iteration));
  }

  /**
   * Fails a node whose input or condition cannot be evaluated. The node is not retried, because its expression would
   * fail again.
   */
  private failBeforeStart(
    node: PlannedNode,
    attempt: number,
    error: NodeError,
    reason?: ResumptionReason,
  ): void {
    const progress = this.progressWithOne();
    this.record(nodeFailed(node, attempt, this.now, error, 0, progress, this.iteration), reason);
    this.fail(node, error);
  }

  private progressWithOne(): Progress {
    return progressWith(this.plan, this.state, this.iteration);
  }

  /**
   * Fails the execution after a node failed, unless the node has `on_error: continue`. Failures of nodes inside a loop
   * are handled by the loop.
   */
  private fail(node: PlannedNode, error: NodeError): void {
    if (node.onError === 'continue' || this.iteration !== null) return;
    const { code, message, ...details } = error;
    this.failure = { type: code, message, node_id: node.id, ...details };
  }

  private outcome(): Outcome {
    const output = graphOutput(this.plan, 'the output of the workflow', this.state, this.evaluation);
    if (output.ok) return { kind: 'completed', output: output.value };
    const { code, message } = output.error;
    return { kind: 'failed', error: { type: code, message, node_id: null } };
  }

  private end(outcome: Outcome): Decision {
    const { plan, state, now } = this;
    const common = { duration_ms: elapsed(state, now), progress: progressOf(plan, state, 0) };
    this.record(
      outcome.kind === 'completed'
        ? workflowEvent('workflow.completed', now, { status: 'completed', output: outcome.output, ...common })
        : workflowEvent('workflow.failed', now, { status: 'failed', error: outcome.error, ...common }),
    );
    // The execution ends, so the attempts of this decision never run. Their start events are removed. Start events of
    // loops stay.
    const events = this.events.filter(
      ({ type, data }) => type !== 'workflow.node.started' || 'iterations' in data,
    );
    const ended = events.length === this.events.length ? this.state : fold(events, this.before);
    // Messages for the removed attempts are not consumed. The commit that ends the execution deletes these messages
    // from the inbox.
    return { ...NO_DECISION, events, state: ended, consumed: this.afterControl.consumed };
  }
}

/**
 * Returns the latest possible end of an execution, in epoch milliseconds. Infinity if only active time limits the
 * execution.
 */
function latestEnd({ config }: Plan, { active, timeoutAt }: ExecutionState, now: number): number {
  if (active !== null) return active.deadlineAt ?? Infinity;
  if (timeoutAt !== null) return timeoutAt;
  if (config.timeout_counts !== 'active') return now + config.timeout_seconds * 1_000;
  return config.deadline_seconds === null ? Infinity : now + config.deadline_seconds * 1_000;
}

type ResumptionReason = EventDataByType['workflow.resumed']['reason'];

type Outcome =
  | { readonly kind: 'completed'; readonly output: RecordedValue }
  | { readonly kind: 'failed'; readonly error: ExecutionError };
