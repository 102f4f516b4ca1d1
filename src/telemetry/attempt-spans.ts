import type { EventOf, NodeEvent } from '../execution-events/index.js';
import { attemptSpanId, receivedTrace } from '../trace-context/index.js';
import type { Span, SpanLink } from './span.js';
import { attemptAttributes, type Outcome } from './span-attributes.js';

const NO_LINKS: Span['links'] = [];
const NO_EVENTS: Span['events'] = [];

interface OpenAttempt {
  readonly nodeId: string;
  readonly nodeType: string;
  /** Id of the loop that contains the node. Null for a node outside of loops. */
  readonly loopId: string | null;
  readonly iteration: number | null;
  readonly attempt: number;
  readonly isLoop: boolean;
  /**
   * Index of the attempt's current span, from 0; -1 before the first span. An attempt that waits ends its span and
   * later starts the next.
   */
  part: number;
  /** The open span of the attempt. Null while the attempt waits. */
  open: Pick<Span, 'startedAt' | 'parentSpanId' | 'links'> | null;
}

export class AttemptSpans {
  private readonly attempts = new Map<string, OpenAttempt>();

  /**
   * @param trace id and state of the execution's trace
   *
   * @param parentSpanId returns the id of the execution's open span
   * @param emit receives each span when it ends
   */
  constructor(
    private readonly executionId: string,
    private readonly trace: Pick<Span, 'traceId' | 'traceState'>,
    private readonly parentSpanId: () => string,
    private readonly emit: (span: Span) => void,
  ) {}

  apply(event: NodeEvent): void {
    switch (event.type) {
      case 'workflow.node.started':
        return this.start(event);
      case 'workflow.node.waiting':
        return this.close(this.attemptOf(event), event.at, { outcome: 'waiting' });
      case 'workflow.node.complete':
        return this.end(event, { outcome: 'completed', isCached: event.data.cached });
      case 'workflow.node.failed':
        return this.end(event, { outcome: 'failed', error: event.data.error.code });
      case 'workflow.node.retrying':
        return this.end(event, { outcome: 'retrying', error: event.data.error.code });
      default:
        return;
    }
  }

  /** Ends the spans of loops when the execution suspends. `resumeLoops` opens new spans when the execution resumes. */
  suspendLoops(at: number): void {
    for (const attempt of this.attempts.values())
      if (attempt.isLoop) this.close(attempt, at, { outcome: 'waiting' });
  }

  resumeLoops(at: number): void {
    for (const attempt of this.attempts.values())
      if (attempt.isLoop && attempt.open === null) this.open(attempt, at, []);
  }

  abort(at: number): void {
    // Spans of nodes in a loop end before the span of the loop, which is their parent.
    for (const isLoop of [false, true])
      for (const attempt of this.attempts.values())
        if (attempt.isLoop === isLoop) this.close(attempt, at, { outcome: 'aborted' });
    this.attempts.clear();
  }

  private start(event: EventOf<'workflow.node.started'>): void {
    const attempt = this.attemptOf(event);
    // An attempt that a crash interrupted runs again with the same attempt number and keeps its open span.
    if (attempt.open === null) this.open(attempt, event.at, senderOf(event));
  }

  private end(event: NodeEvent, outcome: Outcome): void {
    const attempt = this.attemptOf(event);
    // An attempt without an open span failed before it ran, for example in an expression. Its span has no duration.
    if (attempt.open === null) this.open(attempt, event.at, []);
    this.close(attempt, event.at, outcome);
    this.attempts.delete(keyOf(event));
  }

  private open(attempt: OpenAttempt, at: number, links: readonly SpanLink[]): void {
    const before =
      attempt.part < 0 ? NO_LINKS : [{ traceId: this.trace.traceId, spanId: this.spanIdOf(attempt) }];
    attempt.part += 1;
    const loop = attempt.loopId === null ? undefined : this.attempts.get(attempt.loopId);
    const parentSpanId = loop === undefined ? this.parentSpanId() : this.spanIdOf(loop);
    attempt.open = {
      startedAt: at,
      parentSpanId,
      links: links.length === 0 ? before : [...before, ...links],
    };
  }

  private close(attempt: OpenAttempt, at: number, outcome: Outcome): void {
    if (attempt.open === null) return;
    const { nodeId, nodeType, open } = attempt;
    const { traceId, traceState } = this.trace;
    attempt.open = null;
    this.emit({
      traceId,
      spanId: this.spanIdOf(attempt),
      parentSpanId: open.parentSpanId,
      hasRemoteParent: false,
      traceState,
      name: `${nodeType} ${nodeId}`,
      kind: 'attempt',
      startedAt: open.startedAt,
      endedAt: Math.max(open.startedAt, at),
      attributes: attemptAttributes(this.executionId, attempt, outcome),
      links: open.links,
      events: NO_EVENTS,
      error: outcome.error ?? null,
    });
  }

  private spanIdOf(attempt: OpenAttempt): string {
    return attemptSpanId(this.executionId, attempt, attempt.part);
  }

  private attemptOf(event: NodeEvent): OpenAttempt {
    const key = keyOf(event);
    const known = this.attempts.get(key);
    if (known?.attempt === event.attempt) return known;
    const { node_type: nodeType, iteration = null, iteration_of: loopId = null } = event.data;
    const isLoop = event.type === 'workflow.node.started' && event.data.iterations !== undefined;
    const { nodeId, attempt } = event;
    const made = { nodeId, nodeType, loopId, iteration, attempt, isLoop, part: -1, open: null };
    this.attempts.set(key, made);
    return made;
  }
}

function keyOf({ nodeId, data }: NodeEvent): string {
  return data.iteration === undefined ? nodeId : `${nodeId}[${data.iteration}]`;
}

/**
 * If a signal resumed the attempt, returns a link to the span of the caller who sent the signal. The list is empty
 * without a valid `traceparent` of the caller.
 */
function senderOf({ data: { resumption } }: EventOf<'workflow.node.started'>): readonly SpanLink[] {
  if (resumption === undefined || !('traceparent' in resumption)) return [];
  const sender = receivedTrace(resumption.traceparent, undefined);
  return sender === null ? [] : [{ traceId: sender.traceId, spanId: sender.spanId }];
}
