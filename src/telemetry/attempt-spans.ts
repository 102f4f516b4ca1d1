import type { EventOf, NodeEvent } from '../execution-events/index.js';
import { attemptSpanId, receivedTrace } from '../trace-context/index.js';
import type { Span, SpanLink } from './span.js';
import { attemptAttributes, type Outcome, outcomeAttributes } from './span-attributes.js';

/** A span of an attempt, without what every span of its trace shares. */
export type AttemptSpan = Omit<Span, 'traceId' | 'traceState' | 'hasRemoteParent'> & {
  readonly parentSpanId: string;
};

/** An attempt that has not ended. */
interface OpenAttempt {
  readonly nodeId: string;
  readonly nodeType: string;
  /** The loop that it is inside of; null outside of loops. */
  readonly loopId: string | null;
  readonly iteration: number | null;
  readonly attempt: number;
  readonly isLoop: boolean;
  /** Counts its spans, from 0: each wait ends one. */
  part: number;
  /** The span of that part; null while it waits. */
  open: Pick<AttemptSpan, 'startedAt' | 'parentSpanId' | 'links'> | null;
}

/** The attempts of one execution that have not ended, and the spans of those that have. */
export class AttemptSpans {
  private readonly attempts = new Map<string, OpenAttempt>();

  /**
   * @param traceId of the execution
   * @param parentSpanId returns the span of the execution that is open now
   * @param emit receives each span when it ends
   */
  constructor(
    private readonly executionId: string,
    private readonly traceId: string,
    private readonly parentSpanId: () => string,
    private readonly emit: (span: AttemptSpan) => void,
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

  /** The execution goes to sleep. A loop is no attempt that runs: its span ends, and another one follows the sleep. */
  suspendLoops(at: number): void {
    for (const attempt of this.attempts.values())
      if (attempt.isLoop) this.close(attempt, at, { outcome: 'waiting' });
  }

  resumeLoops(at: number): void {
    for (const attempt of this.attempts.values())
      if (attempt.isLoop && attempt.open === null) this.open(attempt, at, []);
  }

  /** The execution has ended: so have its attempts. */
  abort(at: number): void {
    // A loop ends after what is inside of it, whose parent it is.
    for (const isLoop of [false, true])
      for (const attempt of this.attempts.values())
        if (attempt.isLoop === isLoop) this.close(attempt, at, { outcome: 'aborted' });
    this.attempts.clear();
  }

  private start(event: EventOf<'workflow.node.started'>): void {
    const attempt = this.attemptOf(event);
    // A crash interrupted it, and it runs again as the same attempt.
    if (attempt.open === null) this.open(attempt, event.at, senderOf(event));
  }

  private end(event: NodeEvent, outcome: Outcome): void {
    const attempt = this.attemptOf(event);
    // It ended without running, as when an expression or the child that it waited for failed.
    if (attempt.open === null) this.open(attempt, event.at, []);
    this.close(attempt, event.at, outcome);
    this.attempts.delete(keyOf(event));
  }

  private open(attempt: OpenAttempt, at: number, links: readonly SpanLink[]): void {
    const before = attempt.part < 0 ? [] : [{ traceId: this.traceId, spanId: this.spanIdOf(attempt) }];
    attempt.part += 1;
    const loop = attempt.loopId === null ? undefined : this.attempts.get(attempt.loopId);
    const parentSpanId = loop === undefined ? this.parentSpanId() : this.spanIdOf(loop);
    attempt.open = { startedAt: at, parentSpanId, links: [...before, ...links] };
  }

  private close(attempt: OpenAttempt, at: number, outcome: Outcome): void {
    if (attempt.open === null) return;
    const { nodeId, nodeType, iteration, attempt: number, open } = attempt;
    attempt.open = null;
    this.emit({
      ...open,
      spanId: this.spanIdOf(attempt),
      name: `${nodeType} ${nodeId}`,
      kind: 'attempt',
      endedAt: Math.max(open.startedAt, at),
      attributes: {
        ...attemptAttributes(this.executionId, nodeId, nodeType, iteration, number),
        ...outcomeAttributes(outcome),
      },
      events: [],
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

/** The span of the caller whose signal woke an attempt. */
function senderOf({ data: { resumption } }: EventOf<'workflow.node.started'>): readonly SpanLink[] {
  if (resumption === undefined || !('traceparent' in resumption)) return [];
  const sender = receivedTrace(resumption.traceparent, undefined);
  return sender === null ? [] : [{ traceId: sender.traceId, spanId: sender.spanId }];
}
