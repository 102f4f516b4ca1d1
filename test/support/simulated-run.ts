import {
  type AttemptOutcome,
  cancelled,
  compact,
  type Decision,
  type ExecutionState,
  fold,
  isUnderWay,
  type Message,
  next,
  type Plan,
  progressed,
  recovered,
  type RunOrder,
  settle,
  suspended,
  withSecrets,
} from '../../src/engine/index.js';
import {
  type ChildEnd,
  type EventType,
  isFinal,
  type JournalEvent,
  type Resumption,
} from '../../src/execution-events/index.js';
import type { Json, JsonObject } from '../../src/expressions/index.js';
import { SECRETS, EVALUATION_CONTEXT } from './engine-plans.js';

/** Longest wait in milliseconds that stays in memory. A longer wait suspends the execution, as in the service. */
const MAX_WAIT_IN_MEMORY_MS = 5_000;

/** Maximum number of uncommitted events. At this number, even nodes without effects wait for a commit. */
const MAX_UNCOMMITTED = 12;

/** Time from the start of a child execution to its end, in milliseconds. */
const CHILD_MS = 3_000;

/** Time from a pause of the execution until it resumes, in milliseconds. */
const PAUSE_MS = 10_000;

/** The reason given when the simulation cancels an execution. */
export const CANCEL_REASON = 'It is no longer wanted.';

/** The simulated result of an attempt. If a crash makes the attempt run again, its result is the same. */
export interface SimulatedAttempt {
  readonly takesMs: number;
  readonly reportsProgress: boolean;
  readonly outcome: AttemptOutcome;
}

/** A function that simulates an attempt of a node. Equal arguments must give an equal result. */
export type AttemptOf = (
  nodeId: string,
  attempt: number,
  resumption: Resumption | null,
  input: Json,
) => SimulatedAttempt;

/**
 * A crash of the simulated process after the given number of committed events: at once, or just before the next event
 * is committed.
 */
export interface Crash {
  readonly after: number;
  readonly when: 'at_once' | 'before_next';
  readonly cause: 'crash' | 'hand_over';
}

/** A request to pause or cancel the execution, sent after the given number of committed events. */
export interface Request {
  readonly after: number;
  readonly kind: 'cancel' | 'pause';
}

/**
 * A signal to the execution, sent after the given number of committed events. If the execution can only wait,
 * the simulation sends the signal earlier.
 */
export interface SentSignal {
  readonly after: number;
  readonly name: string;
  readonly payload: Json;
  readonly to: { readonly nodeId: string; readonly attempt: number } | null;
}

export interface Scenario {
  readonly plan: Plan;
  readonly input: Json;
  readonly attemptOf: AttemptOf;
  /**
   * Returns the result of the child execution that the given attempt started. Each child ends after three
   * simulated seconds.
   */
  readonly childEndOf?: (nodeId: string, attempt: number) => Omit<ChildEnd, 'id'>;
  readonly signals?: readonly SentSignal[];
  /** Delay in milliseconds between the creation of the execution and its scheduled start. */
  readonly scheduledAfterMs?: number | null;
  readonly crashes?: readonly Crash[];
  readonly requests?: readonly Request[];
  /** Called with each decision of the engine before the simulation applies the decision. */
  readonly onDecision?: (
    state: ExecutionState,
    now: number,
    decision: Decision,
    inbox: readonly Message[],
  ) => void;
}

export interface SimulatedEnd {
  readonly journal: readonly JournalEvent[];
  readonly state: ExecutionState;
  /** The type of the last committed event before each crash. */
  readonly diedAfter: readonly EventType[];
}

class ProcessDied extends Error {
  constructor(readonly crash: Crash) {
    super('The simulated process died.');
  }
}

/**
 * Runs an execution to its end in simulated time, with crashes. The simulation uses the engine like the service does.
 * Nodes without effects run immediately, unless many events are uncommitted. Other nodes run only after all earlier
 * events are committed. Long waits suspend the execution.
 * @throws Error if the execution can never end
 */
export function simulate(scenario: Scenario): SimulatedEnd {
  return new Simulation(scenario).end();
}

type PendingResult = { readonly at: number; readonly order: RunOrder } & (
  { readonly kind: 'outcome'; readonly outcome: AttemptOutcome } | { readonly kind: 'progress' }
);

class Simulation {
  private readonly journal: JournalEvent[] = [];
  private readonly diedAfter: EventType[] = [];
  private readonly crashes: Crash[];
  private readonly requests: Request[];
  private readonly signals: SentSignal[];
  /** The messages in the simulated database, and the messages that will arrive there later. */
  private inbox: Message[] = [];
  private coming: { readonly at: number; readonly message: Message }[] = [];
  private messages = 0;
  private now = Date.UTC(2030, 0, 1);
  /** The state in the memory of the simulated process, which a crash clears. */
  private state: ExecutionState;
  private uncommitted: JournalEvent[] = [];
  private arrivals: PendingResult[] = [];
  /**
   * The ids of consumed messages. The value is the sequence number of the event that consumed the message.
   */
  private consumed = new Map<string, number>();

  constructor(private readonly scenario: Scenario) {
    this.crashes = [...(scenario.crashes ?? [])].sort((a, b) => a.after - b.after);
    this.requests = [...(scenario.requests ?? [])].sort((a, b) => a.after - b.after);
    this.signals = [...(scenario.signals ?? [])].sort((a, b) => a.after - b.after);
    const { scheduledAfterMs = null } = scenario;
    this.journal.push(
      queued(scenario.input, this.now, scheduledAfterMs === null ? null : this.now + scheduledAfterMs),
    );
    this.state = fold(this.journal);
  }

  end(): SimulatedEnd {
    for (let died: ProcessDied | null = null; ;) {
      try {
        this.process(died);
        return { journal: this.journal, state: this.state, diedAfter: this.diedAfter };
      } catch (error) {
        if (!(error instanceof ProcessDied)) throw error;
        died = error;
        this.now += 700;
      }
    }
  }

  /** Simulates one process, which resumes the execution from the journal and runs it until its end or a crash. */
  private process(before: ProcessDied | null): void {
    this.uncommitted = [];
    this.arrivals = [];
    this.consumed = new Map();
    this.state = fold(this.journal);
    this.die('at_once');
    if (isFinal(this.state.status)) return;
    if (before !== null && (this.state.status === 'running' || this.state.running > 0))
      this.record([recovered(this.state, this.now, before.crash.cause)]);
    while (!isFinal(this.state.status)) {
      this.deliver();
      const { effects, wakeAt } = this.decide();
      this.commit();
      if (isFinal(this.state.status)) return;
      for (const order of effects) if (isUnderWay(this.state, order)) this.launch(order);
      if (this.answerRequest()) continue;
      this.rest(wakeAt);
      this.takeArrivals();
    }
    this.commit();
  }

  private decide(): { readonly effects: readonly RunOrder[]; readonly wakeAt: number | null } {
    const effects: RunOrder[] = [];
    for (;;) {
      const isMuch = this.uncommitted.length >= MAX_UNCOMMITTED;
      const inbox = this.inbox.filter(({ id }) => !this.consumed.has(id));
      this.state = compact(this.scenario.plan, this.state, EVALUATION_CONTEXT);
      const decision = next(this.scenario.plan, this.state, this.now, EVALUATION_CONTEXT, inbox);
      this.scenario.onDecision?.(this.state, this.now, decision, inbox);
      this.record(decision.events);
      for (const { id, sequence } of decision.consumed) this.consumed.set(id, sequence);
      const pure = decision.runs.filter(({ node }) => !isMuch && node.type.capabilities.pure === true);
      effects.push(...decision.runs.filter((order) => !pure.includes(order)));
      // A node of a loop does not run if a node before it in `pure` has ended the loop.
      for (const order of pure)
        if (isUnderWay(this.state, order)) this.settle(order, this.attempt(order).outcome);
      if (pure.length === 0) return { effects, wakeAt: decision.wakeAt };
    }
  }

  private attempt(order: RunOrder): SimulatedAttempt {
    return this.scenario.attemptOf(order.node.id, order.attempt, order.resumption, inputOf(order));
  }

  private launch(order: RunOrder): void {
    if (!isUnderWay(fold(this.journal), order))
      throw new Error(`The node "${order.node.id}" ran before its start was committed.`);
    const { takesMs, reportsProgress, outcome } = this.attempt(order);
    if (reportsProgress) this.arrivals.push({ at: this.now + takesMs / 2, order, kind: 'progress' });
    this.arrivals.push({ at: this.now + takesMs, order, kind: 'outcome', outcome });
  }

  /**
   * Advances the simulated time until a result, message or timer is due. Suspends the execution if only long waits
   * remain.
   */
  private rest(wakeAt: number | null): void {
    const wakeUp = Math.min(wakeAt ?? Infinity, ...this.coming.map(({ at }) => at));
    if (this.arrivals.length === 0) {
      const [signal] = this.signals;
      if (this.isStuck(wakeUp) && signal !== undefined) return this.send(signal);
      this.refuseDeadlock(wakeUp);
      if (wakeUp > this.now + MAX_WAIT_IN_MEMORY_MS && this.state.status === 'running') {
        this.record([suspended(this.state, this.now, wakeUp === Infinity ? null : wakeUp)]);
        this.commit();
        this.state = fold(this.journal);
      }
    }
    const timeoutAt = this.state.timeoutAt ?? Infinity;
    const nextAt = Math.min(wakeUp, timeoutAt, ...this.arrivals.map(({ at }) => at));
    if (nextAt === Infinity)
      throw new Error('The simulated execution waits, but no timer, result or timeout will resume it.');
    this.now = Math.max(this.now, nextAt);
  }

  /** Moves messages whose time has come to the inbox, which survives crashes. */
  private deliver(): void {
    for (const signal of this.signals.filter(({ after }) => after <= this.journal.length)) this.send(signal);
    const due = this.coming.filter(({ at }) => at <= this.now);
    this.coming = this.coming.filter(({ at }) => at > this.now);
    this.inbox.push(...due.map(({ message }) => message));
  }

  private send(signal: SentSignal): void {
    const { name, payload, to } = signal;
    this.signals.splice(this.signals.indexOf(signal), 1);
    this.inbox.push({ id: this.messageId(), kind: 'signal', name, payload, to });
  }

  private messageId(): string {
    this.messages += 1;
    return `message-${this.messages}`;
  }

  private isStuck(wakeUp: number): boolean {
    return wakeUp === this.lastEnd && this.state.status !== 'paused';
  }

  /** The time at which a timeout ends the execution. Null or infinite if the execution has no timeout. */
  private get lastEnd(): number | null {
    const { active, timeoutAt } = this.state;
    return active === null ? timeoutAt : (active.deadlineAt ?? Infinity);
  }

  private refuseDeadlock(wakeUp: number): void {
    const { status, nodes } = this.state;
    const sleepers = [...nodes]
      .map(([, node]) => node)
      .filter((node) => node.status === 'waiting' || node.status === 'retrying');
    const mayTimeOut = sleepers.some(({ wakeAt }) => wakeAt === null || wakeAt >= wakeUp);
    if (wakeUp === this.lastEnd && status !== 'paused' && !mayTimeOut)
      throw new Error(
        'No node of the simulated execution runs, and only the timeout will end the execution.',
      );
  }

  private takeArrivals(): void {
    const arrived = this.arrivals.filter(({ at }) => at <= this.now);
    this.arrivals = this.arrivals.filter(({ at }) => at > this.now);
    for (const arrival of arrived) {
      // The result is dropped if its loop has already ended.
      if (!isUnderWay(this.state, arrival.order)) continue;
      if (arrival.kind === 'outcome') this.settle(arrival.order, arrival.outcome);
      else this.record([progressed(arrival.order, 0.5, 'Half of it.', this.now)]);
    }
  }

  /** Handles the next request: a cancellation ends the execution, and a pause ends after ten simulated seconds. */
  private answerRequest(): boolean {
    const [request] = this.requests;
    if (request === undefined || request.after > this.journal.length) return false;
    this.requests.shift();
    if (request.kind === 'cancel')
      this.record([cancelled(this.scenario.plan.order.length, this.state, this.now, CANCEL_REASON)]);
    else {
      this.inbox.push({ id: this.messageId(), kind: 'pause', reason: null });
      this.coming.push({ at: this.now + PAUSE_MS, message: { id: this.messageId(), kind: 'resume' } });
    }
    return true;
  }

  private settle(order: RunOrder, outcome: AttemptOutcome): void {
    const random = (order.attempt % 2) / 2;
    const own = outcome.kind === 'child' ? { ...outcome, executionId: this.messageId() } : outcome;
    this.record([settle(this.scenario.plan, this.state, order, own, this.now, random)]);
  }

  private record(events: readonly JournalEvent[]): void {
    this.state = fold(events, this.state);
    this.uncommitted.push(...events);
  }

  /**
   * Commits one event at a time. A database commits several events together, so the simulation also tests crashes
   * between them.
   */
  private commit(): void {
    for (const event of this.uncommitted) {
      this.die('before_next');
      this.journal.push(event);
      this.carry(event);
      this.die('at_once');
    }
    this.uncommitted = [];
    this.clear();
  }

  /**
   * Applies the side effects of a committed event: the start of a child execution, and the removal of consumed
   * messages.
   */
  private carry(event: JournalEvent): void {
    if (event.type === 'workflow.node.waiting' && event.data.child_execution_id !== undefined) {
      const end = this.scenario.childEndOf?.(event.nodeId, event.attempt);
      if (end === undefined) throw new Error('The scenario does not define how child executions end.');
      const id = event.data.child_execution_id;
      const message = { id: this.messageId(), kind: 'child', end: { id, ...end } } as const;
      this.coming.push({ at: this.now + CHILD_MS, message });
    }
    this.clear();
  }

  private clear(): void {
    this.inbox = this.inbox.filter(({ id }) => (this.consumed.get(id) ?? Infinity) > this.journal.length);
  }

  private die(when: Crash['when']): void {
    const index = this.crashes.findIndex(
      (crash) => crash.after === this.journal.length && crash.when === when,
    );
    const [crash] = index < 0 ? [] : this.crashes.splice(index, 1);
    if (crash === undefined) return;
    this.diedAfter.push(...this.journal.slice(-1).map(({ type }) => type));
    throw new ProcessDied(crash);
  }
}

/** Returns the first event of an execution. */
export function queued(input: Json, at: number, scheduledFor: number | null = null): JournalEvent {
  const scheduled = scheduledFor === null ? {} : { scheduled_for: new Date(scheduledFor).toISOString() };
  const trigger = { type: 'api', id: null } as const;
  return {
    type: 'workflow.queued',
    at,
    nodeId: null,
    attempt: null,
    data: { status: 'queued', workflow_version: 3, input, trigger, attempt: 1, metadata: {}, ...scheduled },
  };
}

export function paused(at: number): JournalEvent {
  return {
    type: 'workflow.paused',
    at,
    nodeId: null,
    attempt: null,
    data: { status: 'paused', reason: null },
  };
}

/** Returns the input of an attempt, with the values of secrets filled in. */
function inputOf({ input, secrets }: RunOrder): JsonObject {
  const filled = secrets && withSecrets(secrets, SECRETS);
  return filled?.ok === true ? (filled.value.value as JsonObject) : input;
}
