import type { ExecutionView, ListExecutionsData, WorkflowEvent } from '../../api/index.ts';
import { RUN_STATUSES, type RunStatus, startOfDay, TRIGGERS } from '../../format/index.ts';

type Trigger = ExecutionView['trigger']['type'];
type RunsQuery = NonNullable<ListExecutionsData['query']>;

export const FILTER_NAMES = [
  'q',
  'status',
  'workflow',
  'trigger',
  'session',
  'retry_of',
  'from',
  'to',
] as const;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const METADATA = /^([^=\s]+)=(.*)$/;

/** A parsed search text: an execution id, a metadata field such as `key=value`, or words. */
export type Search =
  | { readonly kind: 'none' }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'metadata'; readonly key: string; readonly value: string }
  | { readonly kind: 'text'; readonly text: string };

export function searchOf(text: string | undefined): Search {
  const wanted = (text ?? '').trim();
  if (wanted === '') return { kind: 'none' };
  if (UUID.test(wanted)) return { kind: 'id', id: wanted.toLowerCase() };
  const [, key, value] = METADATA.exec(wanted) ?? [];
  return key === undefined || value === undefined
    ? { kind: 'text', text: wanted }
    : { kind: 'metadata', key, value };
}

export function statusesOf(text: string | undefined): readonly RunStatus[] {
  const named = (text ?? '').split(',');
  return RUN_STATUSES.filter((status) => named.includes(status));
}

type Filters = Readonly<Record<string, string>>;

/** Converts the filters in the URL to query parameters of the API. Dates are in the user's time zone. */
export function runsQueryOf(filters: Filters): RunsQuery {
  const { status, workflow, trigger, session, retry_of, from, to } = filters;
  const statuses = statusesOf(status);
  const search = searchOf(filters['q']);
  return {
    status: statuses.length === 0 ? undefined : [...statuses],
    workflow_id: workflow,
    trigger: isTrigger(trigger) ? trigger : undefined,
    session_id: session,
    retry_of,
    created_after: instant(from, 0),
    created_before: instant(to, 1),
    metadata: search.kind === 'metadata' ? { [search.key]: search.value } : undefined,
    q: search.kind === 'text' ? search.text : undefined,
  };
}

/** Whether an event shows that its execution belongs in a list with the given filters. */
export function bringsIn(event: WorkflowEvent, query: RunsQuery, projectId: string | undefined): boolean {
  const { type, data, created_at } = event;
  const { status, workflow_id, session_id, retry_of, trigger, created_before, metadata } = query;
  // An event lacks the fields in which the service searches for words, so no event matches a text search.
  if (query.q !== undefined) return false;
  if (projectId !== undefined && event.project_id !== projectId) return false;
  if (workflow_id !== undefined && event.workflow_id !== workflow_id) return false;
  if (session_id !== undefined && event.session_id !== session_id) return false;
  if (created_before !== undefined && created_at >= created_before) return false;
  if (event.node_id !== null) return false;
  // Only the event `workflow.queued` contains `retry_of`, the trigger and the metadata, so only this event can match
  // filters by these fields.
  if (retry_of !== undefined && fieldOf(data, 'retry_of') !== retry_of) return false;
  if (trigger !== undefined && fieldOf(data['trigger'], 'type') !== trigger) return false;
  for (const [key, value] of Object.entries(metadata ?? {}))
    if (fieldOf(data['metadata'], key) !== value) return false;
  if (status === undefined) return type === 'workflow.queued';
  return status.some((each) => each === data['status']);
}

function isTrigger(value: string | undefined): value is Trigger {
  return value !== undefined && Object.hasOwn(TRIGGERS, value);
}

function fieldOf(value: unknown, field: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found = (value as Readonly<Record<string, unknown>>)[field];
  return typeof found === 'string' ? found : JSON.stringify(found);
}

/**
 * Returns the start of the date `plusDays` days after `day`, in the user's time zone, as an ISO timestamp.
 * Undefined if `day` is invalid or absent.
 */
function instant(day: string | undefined, plusDays: number): string | undefined {
  const start = day === undefined ? null : startOfDay(day, plusDays);
  return start === null ? undefined : new Date(start).toISOString();
}
