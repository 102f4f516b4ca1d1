import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { hookDeliveriesQuery, type DeliveryView } from '../../api/index.ts';
import { texts } from '../../texts/en/hooks.ts';
import { type Column, EmptyState, List, shortId, StatusBadge, Time, useListSearch } from '../../ui/index.ts';

const REFRESH_MS = 2_000;

const COLUMNS: readonly Column<DeliveryView>[] = [
  {
    id: 'outcome',
    header: texts.outcome,
    cell: (delivery) => (
      <>
        <StatusBadge status={delivery.outcome} />
        <span className="num block pb-1.5 text-small text-text-2 md:hidden">
          {requestOf(delivery)} {delivery.status}
        </span>
      </>
    ),
  },
  { id: 'request', header: texts.request, wideOnly: true, cell: requestOf },
  {
    id: 'status',
    header: texts.status,
    wideOnly: true,
    cell: ({ status }) => <span className="num">{status}</span>,
  },
  {
    id: 'reason',
    header: texts.reason,
    wideOnly: true,
    cell: ({ reason }) => reason ?? <span className="text-text-3">–</span>,
  },
  {
    id: 'key',
    header: texts.key,
    wideOnly: true,
    cell: ({ key }) =>
      key === null ? <span className="text-text-3">–</span> : <code className="mono">{key}</code>,
  },
  {
    id: 'from',
    header: texts.from,
    wideOnly: true,
    cell: ({ address }) => <code className="mono">{address}</code>,
  },
  {
    id: 'execution',
    header: texts.execution,
    cell: ({ execution_id }) =>
      execution_id === null ? (
        <span className="text-text-3">–</span>
      ) : (
        <Link to="/executions/$id" params={{ id: execution_id }} className="mono text-accent hover:underline">
          {shortId(execution_id)}
        </Link>
      ),
  },
  {
    id: 'at',
    header: texts.received,
    align: 'right',
    cell: ({ received_at }) => <Time value={received_at} />,
  },
];

function requestOf({ method, source }: DeliveryView): string {
  return source === 'test' ? texts.test(method) : method;
}

/** List of the requests to a hook in the last 7 days, with the latest request first. */
export function DeliveryList({ id }: { readonly id: string }) {
  const search = useListSearch();
  const query = useQuery({ ...hookDeliveriesQuery(id, search.page), refetchInterval: REFRESH_MS });
  return (
    <List
      label={texts.deliveries}
      noun={texts.deliveryNoun}
      query={query}
      search={search}
      columns={COLUMNS}
      rowKey={(delivery) => delivery.id}
      empty={
        <EmptyState title={texts.noDeliveriesYet} docs="hooks">
          {texts.deliveriesPurpose}
        </EmptyState>
      }
    />
  );
}
