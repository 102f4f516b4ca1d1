import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { hookDeliveriesQuery, type DeliveryView } from '../../api/index.ts';
import { type Column, EmptyState, List, shortId, StatusBadge, Time, useListSearch } from '../../ui/index.ts';

const REFRESH_MS = 2_000;

const COLUMNS: readonly Column<DeliveryView>[] = [
  { id: 'outcome', header: 'Outcome', cell: ({ outcome }) => <StatusBadge status={outcome} /> },
  {
    id: 'request',
    header: 'Request',
    cell: ({ method, source }) => (source === 'test' ? `${method} (test)` : method),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <span className="num">{status}</span> },
  {
    id: 'reason',
    header: 'Reason',
    wideOnly: true,
    cell: ({ reason }) => reason ?? <span className="text-text-3">–</span>,
  },
  {
    id: 'key',
    header: 'Key',
    wideOnly: true,
    cell: ({ key }) =>
      key === null ? <span className="text-text-3">–</span> : <code className="mono">{key}</code>,
  },
  {
    id: 'from',
    header: 'From',
    wideOnly: true,
    cell: ({ address }) => <code className="mono">{address}</code>,
  },
  {
    id: 'execution',
    header: 'Execution',
    cell: ({ execution_id }) =>
      execution_id === null ? (
        <span className="text-text-3">–</span>
      ) : (
        <Link to="/executions/$id" params={{ id: execution_id }} className="mono text-accent hover:underline">
          {shortId(execution_id)}
        </Link>
      ),
  },
  { id: 'at', header: 'Received', align: 'right', cell: ({ received_at }) => <Time value={received_at} /> },
];

/** Requests of the last 7 days, the latest first; it refreshes by itself. */
export function DeliveryList({ id }: { readonly id: string }) {
  const search = useListSearch();
  const query = useQuery({ ...hookDeliveriesQuery(id, search.page), refetchInterval: REFRESH_MS });
  return (
    <List
      label="Deliveries"
      noun={['delivery', 'deliveries']}
      query={query}
      search={search}
      columns={COLUMNS}
      rowKey={(delivery) => delivery.id}
      empty={
        <EmptyState title="No deliveries yet">
          Each request is listed here for 7 days, with its execution or the reason of its refusal.
        </EmptyState>
      }
    />
  );
}
