import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AuditEntryView, auditQuery } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-audit-log.ts';
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
    header: texts.action,
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
    header: texts.target,
    wideOnly: true,
    cell: ({ target }) => <Id value={target.id} of={texts.theTarget(target.type)} />,
  },
  {
    id: 'actor',
    header: texts.actor,
    wideOnly: true,
    cell: ({ actor: { key_id, user_id }, ...entry }) =>
      key_id !== null ? (
        <>{texts.keyWithId(<Id value={key_id} of={texts.theKey} />)}</>
      ) : user_id !== null ? (
        <>{texts.userWithId(<Id value={user_id} of={texts.theUser} />)}</>
      ) : refusalText(entry) === undefined ? (
        texts.theService
      ) : (
        texts.unknown
      ),
  },
  {
    id: 'address',
    header: texts.from,
    wideOnly: true,
    cell: ({ address }) => <code className="mono">{address}</code>,
  },
  { id: 'at', header: texts.when, align: 'right', cell: ({ created_at }) => <Time value={created_at} /> },
];

const FILTERS: readonly Filter[] = [
  { kind: 'text', name: 'action', label: texts.action },
  { kind: 'text', name: 'actor', label: texts.actorFilter },
  { kind: 'text', name: 'target', label: texts.targetFilter },
];

export function AuditLogPage() {
  const search = useListSearch('action', 'actor', 'target');
  const [shown, setShown] = useState<AuditEntryView | null>(null);
  const { action, actor, target } = search.filters;
  return (
    <>
      <ListPage
        title={texts.auditLog}
        label={texts.auditLog}
        noun={texts.entryNoun}
        search={search}
        filters={FILTERS}
        query={useQuery(auditQuery({ ...search.page, order: 'desc', action, actor, target }))}
        columns={[...COLUMNS, changeColumn(setShown)]}
        rowKey={({ id }) => id}
        empty={<EmptyState title={texts.empty} />}
      />
      {shown !== null && (
        <Dialog open onClose={() => setShown(null)} title={shown.action}>
          <div className="flex flex-col gap-3">
            {refusalText(shown) === undefined ? (
              <>
                <h3 className="font-medium">{texts.before}</h3>
                <JsonTree label={texts.beforeData} value={shown.before} />
                <h3 className="font-medium">{texts.after}</h3>
                <JsonTree label={texts.afterData} value={shown.after} />
              </>
            ) : (
              <>
                <h3 className="font-medium">{texts.refusedRequests}</h3>
                <JsonTree label={texts.refusedRequestsData} value={shown.after} />
              </>
            )}
            {shown.request_id !== null && (
              <p className="text-text-2">
                {texts.requestWithId(<Id value={shown.request_id} of={texts.theRequest} whole />)}
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
    header: texts.change,
    hideHeader: true,
    align: 'right',
    cell: (entry) => (
      <Button kind="quiet" onClick={() => onShow(entry)}>
        {texts.show}
        <span className="sr-only"> {entry.action}</span>
      </Button>
    ),
  };
}
