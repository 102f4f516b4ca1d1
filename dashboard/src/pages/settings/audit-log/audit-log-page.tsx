import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AuditEntryView, auditQuery } from '../../../api/index.ts';
import {
  Button,
  type Column,
  Dialog,
  EmptyState,
  type Filter,
  Id,
  JsonTree,
  ListPage,
  Time,
  useListSearch,
} from '../../../ui/index.ts';
import { refusalText } from './refusals.ts';

const COLUMNS: readonly Column<AuditEntryView>[] = [
  {
    id: 'action',
    header: 'Action',
    cell: (entry) => {
      const refusal = refusalText(entry);
      return (
        <>
          <code className="mono">{entry.action}</code>
          {refusal !== undefined && <div className="text-text-2">{refusal}</div>}
        </>
      );
    },
  },
  {
    id: 'target',
    header: 'Target',
    wideOnly: true,
    cell: ({ target }) => <Id value={target.id} of={`the ${target.type}`} />,
  },
  {
    id: 'actor',
    header: 'By',
    wideOnly: true,
    cell: ({ actor: { key_id, user_id }, ...entry }) =>
      key_id !== null ? (
        <>
          Key <Id value={key_id} of="the key" />
        </>
      ) : user_id !== null ? (
        <>
          Person <Id value={user_id} of="the person" />
        </>
      ) : refusalText(entry) === undefined ? (
        'The service'
      ) : (
        'Unknown'
      ),
  },
  {
    id: 'address',
    header: 'From',
    wideOnly: true,
    cell: ({ address }) => <code className="mono">{address}</code>,
  },
  { id: 'at', header: 'When', align: 'right', cell: ({ created_at }) => <Time value={created_at} /> },
];

const FILTERS: readonly Filter[] = [
  { kind: 'text', name: 'action', label: 'Action' },
  { kind: 'text', name: 'actor', label: 'Id of who did it' },
  { kind: 'text', name: 'target', label: 'Id of what it was done to' },
];

export function AuditLogPage() {
  const search = useListSearch('action', 'actor', 'target');
  const [shown, setShown] = useState<AuditEntryView | null>(null);
  const { action, actor, target } = search.filters;
  return (
    <>
      <ListPage
        title="Audit log"
        label="Audit log"
        noun={['entry', 'entries']}
        search={search}
        filters={FILTERS}
        query={useQuery(auditQuery({ ...search.page, order: 'desc', action, actor, target }))}
        columns={[...COLUMNS, changeColumn(setShown)]}
        rowKey={({ id }) => id}
        empty={<EmptyState title="Nothing has been changed or refused yet" />}
      />
      {shown !== null && (
        <Dialog open onClose={() => setShown(null)} title={shown.action}>
          <div className="flex flex-col gap-3">
            {refusalText(shown) === undefined ? (
              <>
                <h3 className="font-medium">Before</h3>
                <JsonTree label="before" value={shown.before} />
                <h3 className="font-medium">After</h3>
                <JsonTree label="after" value={shown.after} />
              </>
            ) : (
              <>
                <h3 className="font-medium">What was refused</h3>
                <JsonTree label="what was refused" value={shown.after} />
              </>
            )}
            {shown.request_id !== null && (
              <p className="text-text-2">
                Request <Id value={shown.request_id} of="the request" whole />
              </p>
            )}
          </div>
        </Dialog>
      )}
    </>
  );
}

function changeColumn(onShow: (entry: AuditEntryView) => void): Column<AuditEntryView> {
  return {
    id: 'change',
    header: 'Change',
    hideHeader: true,
    align: 'right',
    cell: (entry) => (
      <Button kind="quiet" onClick={() => onShow(entry)}>
        Show<span className="sr-only"> {entry.action}</span>
      </Button>
    ),
  };
}
