import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { WorkflowEvent } from '../api/client.ts';
import { absoluteTime, timeOfDay } from '../format/index.ts';
import { texts } from '../texts/en/ui.ts';
import { classes } from './classes.ts';
import { shortId } from './id.tsx';

interface EventTableProps {
  readonly events: readonly WorkflowEvent[];
}

const HEADERS = [
  { label: texts.time, className: 'w-32 max-md:w-28' },
  { label: texts.event },
  { label: texts.node, className: 'max-md:hidden' },
  { label: texts.execution, className: 'w-32 max-md:w-26' },
  { label: texts.sequence, className: 'w-20 text-right max-md:hidden' },
];

/** A table for a high rate of events. Each row is rendered only once. */
export function EventTable({ events }: EventTableProps) {
  return (
    <table aria-label={texts.events} className="w-full table-fixed border-separate border-spacing-0">
      <thead>
        <tr>
          {HEADERS.map(({ label, className }) => (
            <th
              key={label}
              scope="col"
              className={classes(
                'label sticky top-0 z-10 h-8 border-b border-border bg-bg px-2 text-left first:pl-5 last:pr-5 md:px-3',
                className,
              )}
            >
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <Row key={event.id} event={event} />
        ))}
      </tbody>
    </table>
  );
}

const PREFIX = 'workflow.';

const CELL = 'h-8 truncate border-b border-border px-2 first:pl-5 last:pr-5 md:px-3';

const TONES: Readonly<Record<string, string>> = {
  'workflow.completed': 'text-completed',
  'workflow.node.complete': 'text-completed',
  'workflow.failed': 'text-failed',
  'workflow.node.failed': 'text-failed',
  'workflow.node.retrying': 'text-timed-out',
  'workflow.waiting': 'text-waiting',
  'workflow.node.waiting': 'text-waiting',
  'workflow.started': 'text-running',
  'workflow.node.started': 'text-running',
};

const Row = memo(function Row({ event }: { readonly event: WorkflowEvent }) {
  const { type, created_at, node_id, execution_id, sequence, attempt } = event;
  return (
    <tr className="hover:bg-muted">
      <td className={CELL}>
        <time dateTime={created_at} title={absoluteTime(created_at)} className="mono num text-text-2">
          {timeOfDay(created_at)}
        </time>
      </td>
      <td className={CELL}>
        <code className={classes('mono', TONES[type])}>
          {/* All event types start with `workflow.`, so narrow screens omit this prefix. */}
          <span className="max-md:sr-only">{PREFIX}</span>
          {type.slice(PREFIX.length)}
        </code>
      </td>
      <td className={classes(CELL, 'max-md:hidden')}>
        {node_id}
        {attempt !== null && attempt > 1 && (
          <span className="ml-2 text-text-3">{texts.attempt(attempt)}</span>
        )}
      </td>
      <td className={CELL}>
        <Link
          to="/executions/$id"
          params={{ id: execution_id }}
          preload={false}
          title={execution_id}
          className="mono hover:underline"
        >
          {shortId(execution_id)}
        </Link>
      </td>
      <td className={classes(CELL, 'num text-right text-text-2 max-md:hidden')}>{sequence}</td>
    </tr>
  );
});
