import type { Attributes } from '@opentelemetry/api';
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

/** The trace of an execution whose spans are exported. */
interface Recording {
  readonly traceId: string;
  /** The trace that it continues; null where it starts one. */
  readonly continued: TraceContext | null;
  readonly attempts: AttemptSpans;
  attributes: Attributes;
}

/** A part of the execution: from its start or its wake-up to its next sleep or its end. */
interface Segment {
  readonly startedAt: number;
  readonly links: readonly SpanLink[];
  readonly events: { readonly name: string; readonly at: number }[];
}

/**
 * Makes the spans of one execution from its events. Ids, times and parents follow from the journal alone, so that any
 * process makes the same spans. A span ends before a long wait; the span after the wait links to it.
 */
export class ExecutionSpans {
  /** Null where the caller does not record its trace, or where the beginning of the journal is missing. */
  private recording: Recording | null = null;
  /** Null while the execution sleeps. */
  private segment: Segment | null = null;
  /** Segments so far; the first one is the root, and the parent of the others. */
  private segments = 0;
  private hasCopiedEvents = false;
  private ended: Span[] = [];
  /** Sequence of the last event. */
  private last = 0;
  private hasEnded = false;

  constructor(private readonly scope: JournalScope) {}

  get sequence(): number {
    return this.last;
  }

  /** Whether it sleeps or has ended: another process may continue it, or none. */
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
          // A retry begins with copies of events of the execution that it repeats.
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
      traceId,
      () => executionSpanId(executionId, Math.max(0, this.segments - 1)),
      (span) => this.emit({ ...span, hasRemoteParent: false }),
    );
    this.recording = { traceId, continued, attempts, attributes: executionAttributes(this.scope, data) };
    this.hasCopiedEvents = data.retry_of !== undefined;
    // An execution that is to start later is not open until then.
    const scheduledFor = data.scheduled_for === undefined ? at : Date.parse(data.scheduled_for);
    this.open(Math.max(at, scheduledFor), []);
  }

  private applyToExecution(event: ExecutionEvent, recording: Recording): void {
    this.hasCopiedEvents = false;
    const { at } = event;
    switch (event.type) {
      case 'workflow.started': {
        const queueMs = Math.max(0, at - (this.segment?.startedAt ?? at));
        recording.attributes = { ...recording.attributes, ...queueAttribute(queueMs) };
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
    this.open(at, [{ traceId, spanId: executionSpanId(this.scope.executionId, this.segments - 1) }]);
    attempts.resumeLoops(at);
  }

  private open(startedAt: number, links: readonly SpanLink[]): void {
    this.segment = { startedAt, links, events: [] };
    this.segments += 1;
  }

  private close(at: number, { continued, attributes }: Recording, outcome: Outcome): void {
    if (this.segment === null) return;
    const { startedAt, links, events } = this.segment;
    this.segment = null;
    const { executionId } = this.scope;
    const part = this.segments - 1;
    const isRoot = part === 0;
    this.emit({
      spanId: executionSpanId(executionId, part),
      parentSpanId: isRoot ? (continued?.spanId ?? null) : executionSpanId(executionId),
      hasRemoteParent: isRoot && continued !== null,
      name: isRoot ? 'execution' : 'execution resumed',
      kind: 'execution',
      startedAt: Math.min(startedAt, at),
      endedAt: at,
      attributes: { ...attributes, ...outcomeAttributes(outcome) },
      links,
      events,
      error: outcome.error ?? null,
    });
  }

  private emit(span: Omit<Span, 'traceId' | 'traceState'>): void {
    if (this.recording === null) return;
    const { traceId, continued } = this.recording;
    this.ended.push({ ...span, traceId, traceState: continued?.state ?? null });
  }
}
