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
import { ActorCell, TargetCell } from './audit-cells.tsx';
import { refusalText } from './refusals.ts';

const COLUMNS: readonly Column<AuditEntryView>[] = [
  {
    id: 'action',
    header: texts.action,
    cell: (entry) => (
      <span title={entry.action}>
        {refusalText(entry) ?? texts.actionWords(entry.action)}
        <span className="block truncate text-text-2 md:hidden">{entry.target.name}</span>
      </span>
    ),
  },
  {
    id: 'target',
    header: texts.target,
    wideOnly: true,
    cell: ({ target }) => <TargetCell target={target} />,
  },
  {
    id: 'actor',
    header: texts.actor,
    wideOnly: true,
    cell: (entry) => <ActorCell entry={entry} />,
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
  { kind: 'text', name: 'q', label: texts.nameFilter },
  { kind: 'text', name: 'action', label: texts.actionFilter },
];

export function AuditLogPage() {
  const search = useListSearch('q', 'action');
  const [shown, setShown] = useState<AuditEntryView | null>(null);
  const { q, action } = search.filters;
  return (
    <>
      <ListPage
        title={texts.auditLog}
        label={texts.auditLog}
        noun={texts.entryNoun}
        search={search}
        filters={FILTERS}
        query={useQuery(auditQuery({ ...search.page, order: 'desc', q, action }))}
        columns={[...COLUMNS, changeColumn(setShown)]}
        rowKey={({ id }) => id}
        empty={<EmptyState title={texts.empty} docs="security" />}
      />
      {shown !== null && (
        <Dialog open onClose={() => setShown(null)} title={texts.actionWords(shown.action)}>
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
            <p className="text-text-2">{texts.actionCode(<code className="mono">{shown.action}</code>)}</p>
            <p className="text-text-2">
              {texts.targetWithId(
                <Id value={shown.target.id} of={texts.theTarget(shown.target.type)} whole />,
              )}
            </p>
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
        <span className="sr-only"> {texts.actionWords(entry.action)}</span>
      </Button>
    ),
  };
}
