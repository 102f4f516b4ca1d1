import {
  type EventOf,
  type ExecutionEvent,
  isFinalEventType,
  isKnown,
  type ReadEvent,
} from '../execution-events/index.js';
import type { JournalScope } from '../journal/index.js';
import { executionSpanId, receivedTrace, type TraceContext, traceIdOf } from '../trace-context/index.js';
import { AttemptSpans } from './attempt-spans.js';
import type { Span, SpanLink } from './span.js';
import { executionAttributes, type Outcome, outcomeAttributes, queueAttribute } from './span-attributes.js';

/** State of the trace of an execution whose spans are exported. */
interface Recording {
  readonly traceId: string;
  /** Trace context of the caller, whose trace the execution continues. Null if the execution begins a new trace. */
  readonly continued: TraceContext | null;
  readonly attempts: AttemptSpans;
  attributes: string;
}

/**
 * A period in which the execution is not suspended. A segment begins when the execution starts or resumes, and ends
 * when it is suspended or ends.
 */
interface Segment {
  readonly startedAt: number;
  readonly links: readonly SpanLink[];
  readonly events: { readonly name: string; readonly at: number }[];
}

/**
 * Computes the spans of one execution. The spans depend only on the journal, so every process computes the same spans.
 * A span ends when the execution suspends, and the next span links to the ended span.
 */
export class ExecutionSpans {
  /**
   * State of the trace. Null if the caller's trace is not sampled, or if the event `workflow.queued` was not applied
   * yet.
   */
  private recording: Recording | null = null;
  /** The current period between two suspensions. Null while the execution is suspended. */
  private segment: Segment | null = null;
  /**
   * Number of segments so far. The span of the first segment is the root span of the execution, and the parent of the
   * spans of later segments.
   */
  private segments = 0;
  /** Id of the span of the last segment. This span is the parent of the spans of attempts. */
  private spanId = '';
  private hasCopiedEvents = false;
  private ended: Span[] = [];
  private last = 0;
  private hasEnded = false;

  constructor(private readonly scope: JournalScope) {}

  get sequence(): number {
    return this.last;
  }

  /**
   * Whether the execution is suspended or has ended. This process may then receive no further events, because another
   * process may resume the execution.
   */
  get isAtRest(): boolean {
    return this.hasEnded || (this.recording !== null && this.segment === null);
  }

  /** @returns the spans that ended with the events */
  apply(events: readonly ReadEvent[]): readonly Span[] {
    for (const event of events) {
      this.last += 1;
      if (isFinalEventType(event.type)) this.hasEnded = true;
      if (isKnown(event)) {
        if (event.type === 'workflow.queued') this.begin(event);
        else if (this.recording !== null) {
          if (event.nodeId === null) this.applyToExecution(event, this.recording);
          // An execution that retries another execution begins with copies of that execution's events. Copied events
          // cause no spans.
          else if (!this.hasCopiedEvents) this.recording.attempts.apply(event);
        }
      }
    }
    const { ended } = this;
    this.ended = [];
    return ended;
  }

  private begin({ at, data }: EventOf<'workflow.queued'>): void {
    const { executionId } = this.scope;
    const continued = receivedTrace(data.traceparent, data.tracestate);
    if (continued?.isSampled === false) return;
    const traceId = traceIdOf({ id: executionId, trace: continued });
    const attempts = new AttemptSpans(
      executionId,
      { traceId, traceState: continued?.state ?? null },
      () => this.spanId,
      (span) => this.ended.push(span),
    );
    this.recording = { traceId, continued, attempts, attributes: executionAttributes(this.scope, data) };
    this.hasCopiedEvents = data.retry_of !== undefined;
    // The span of an execution with a scheduled time begins at that time at the earliest.
    const scheduledFor = data.scheduled_for === undefined ? at : Date.parse(data.scheduled_for);
    this.open(Math.max(at, scheduledFor), []);
  }

  private applyToExecution(event: ExecutionEvent, recording: Recording): void {
    this.hasCopiedEvents = false;
    const { at } = event;
    switch (event.type) {
      case 'workflow.started': {
        const queueMs = Math.max(0, at - (this.segment?.startedAt ?? at));
        recording.attributes += queueAttribute(queueMs);
        return;
      }
      case 'workflow.waiting':
      case 'workflow.paused':
        recording.attempts.suspendLoops(at);
        return this.close(at, recording, { outcome: event.data.status });
      case 'workflow.resumed':
        return this.resume(at, recording);
      case 'workflow.recovered':
        this.resume(at, recording);
        this.segment?.events.push({ name: 'recovered', at });
        return;
      case 'workflow.completed':
      case 'workflow.failed':
      case 'workflow.cancelled':
        this.resume(at, recording);
        recording.attempts.abort(at);
        return this.close(at, recording, {
          outcome: event.data.status,
          error: event.type === 'workflow.failed' ? event.data.error.type : null,
        });
      default:
        return;
    }
  }

  private resume(at: number, { traceId, attempts }: Recording): void {
    if (this.segment !== null) return;
    this.open(at, [{ traceId, spanId: this.spanId }]);
    attempts.resumeLoops(at);
  }

  private open(startedAt: number, links: readonly SpanLink[]): void {
    this.segment = { startedAt, links, events: [] };
    this.spanId = executionSpanId(this.scope.executionId, this.segments);
    this.segments += 1;
  }

  private close(at: number, { traceId, continued, attributes }: Recording, outcome: Outcome): void {
    if (this.segment === null) return;
    const { startedAt, links, events } = this.segment;
    this.segment = null;
    const { executionId } = this.scope;
    const isRoot = this.segments === 1;
    this.ended.push({
      traceId,
      traceState: continued?.state ?? null,
      spanId: this.spanId,
      parentSpanId: isRoot ? (continued?.spanId ?? null) : executionSpanId(executionId),
      hasRemoteParent: isRoot && continued !== null,
      name: isRoot ? 'execution' : 'execution resumed',
      kind: 'execution',
      startedAt: Math.min(startedAt, at),
      endedAt: at,
      attributes: attributes + outcomeAttributes(outcome),
      links,
      events,
      error: outcome.error ?? null,
    });
  }
}
