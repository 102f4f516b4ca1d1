import type { WireEvent } from './wire-event.js';

const TYPE_WIDTH = 'workflow.node.retrying'.length;

/**
 * Returns an event as one line of text, for terminals that cannot redraw.
 * @param startedAt epoch milliseconds; the line shows the time from `startedAt` to the event
 */
export function eventLine(event: WireEvent, startedAt: number): string {
  const time = `${((Date.parse(event.created_at) - startedAt) / 1000).toFixed(3)} s`;
  const parts = [
    `#${event.sequence}`.padStart(4),
    time.padStart(8),
    event.type.padEnd(TYPE_WIDTH),
    eventDetail(event),
  ];
  return parts.join('  ').trimEnd();
}

/** Returns the details of an event as text; empty for events without details. */
export function eventDetail(event: WireEvent): string {
  return printable(detailOf(event));
}

/** Replaces control characters by spaces, because untrusted text could otherwise move the cursor of the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

function detailOf(event: WireEvent): string {
  switch (event.type) {
    case 'workflow.node.started':
      return [
        event.data.node_id,
        ...attempt(event),
        ...(event.data.resumption === undefined ? [] : ['woken']),
      ].join(', ');
    case 'workflow.node.complete':
      return `${event.data.node_id}, ${event.data.duration_ms} ms, ${event.data.progress.completed} of ${event.data.progress.total} nodes`;
    case 'workflow.node.failed':
      return `${event.data.node_id}: ${event.data.error.message}`;
    case 'workflow.node.retrying':
      return `${event.data.node_id}: ${event.data.error.message} Next attempt in ${event.data.delay_ms} ms.`;
    case 'workflow.node.waiting':
      return event.data.wake_at === null
        ? event.data.node_id
        : `${event.data.node_id} until ${event.data.wake_at}`;
    case 'workflow.node.skipped':
    case 'workflow.node.progress':
      return event.data.node_id;
    case 'workflow.recovered':
      return event.data.node_ids.length === 0 ? '' : `${event.data.node_ids.join(', ')} again`;
    case 'workflow.completed':
      return `${event.data.duration_ms} ms, output ${JSON.stringify(event.data.output)}`;
    case 'workflow.failed':
      return event.data.error.message;
    case 'workflow.queued':
    case 'workflow.started':
    case 'workflow.waiting':
    case 'workflow.paused':
    case 'workflow.resumed':
    case 'workflow.cancelled':
    // A newer version of the service may send event types that this version does not know.
    default:
      return '';
  }
}

function attempt({ attempt: number }: WireEvent): readonly string[] {
  return number === null || number === 1 ? [] : [`attempt ${number}`];
}
