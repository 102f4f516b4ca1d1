import type { AuditEntryView, SystemView } from '../../../api/index.ts';
import { bytes, duration, number, percent } from '../../../format/index.ts';
import { texts } from '../../../texts/en/settings-operations.ts';
import { type Column, DataTable, Id, NameText, Time } from '../../../ui/index.ts';

type Process = SystemView['processes'][number];
type Table = NonNullable<SystemView['database']['tables']>[number];

/** Milliseconds since the last heartbeat after which a process is marked as silent. */
const SILENT_MS = 10_000;

const PROCESS_COLUMNS: readonly Column<Process>[] = [
  {
    id: 'process',
    header: texts.process,
    cell: ({ host, pid }) => (
      <span className="mono break-all">
        {host} {pid}
      </span>
    ),
  },
  { id: 'role', header: texts.role, cell: ({ role }) => role ?? texts.unknown },
  {
    id: 'version',
    header: texts.version,
    wideOnly: true,
    cell: ({ version }) => <span className="mono">{version ?? texts.unknown}</span>,
  },
  {
    id: 'heartbeat',
    header: texts.heartbeat,
    wideOnly: true,
    cell: ({ silent_ms }) =>
      silent_ms > SILENT_MS ? (
        <span className="text-failed">{texts.silentFor(duration(silent_ms))}</span>
      ) : (
        texts.ago(duration(silent_ms))
      ),
  },
  {
    id: 'started',
    header: texts.started,
    wideOnly: true,
    cell: ({ started_at }) => <Time value={started_at} />,
  },
  {
    id: 'leases',
    header: texts.leases,
    align: 'right',
    cell: ({ executions_held }) => <span className="num">{number(executions_held)}</span>,
  },
  {
    id: 'load',
    header: texts.load,
    align: 'right',
    cell: ({ load }) => <span className="num">{load === null ? '–' : percent(load)}</span>,
  },
];

export function ProcessTable({ processes }: { readonly processes: readonly Process[] }) {
  return (
    <DataTable
      label={texts.processes}
      rows={processes}
      columns={PROCESS_COLUMNS}
      rowKey={({ id }) => id}
      dense
    />
  );
}

interface SizedTable extends Table {
  /** Share of the database size that the table uses, from 0 to 1. */
  readonly share: number;
}

const TABLE_COLUMNS: readonly Column<SizedTable>[] = [
  { id: 'name', header: texts.table, cell: ({ name }) => <code className="mono">{name}</code> },
  {
    id: 'size',
    header: texts.size,
    align: 'right',
    cell: ({ size_bytes }) => <span className="num">{bytes(size_bytes)}</span>,
  },
  {
    id: 'share',
    header: texts.share,
    align: 'right',
    cell: ({ share }) => <span className="num">{percent(share)}</span>,
  },
];

export function TablesTable({
  database: { tables, size_bytes: whole },
}: {
  readonly database: SystemView['database'];
}) {
  if (tables === null) return <p className="px-5 text-text-2">{texts.notMeasured}</p>;
  const rows = tables.map((table) => ({ ...table, share: table.size_bytes / Math.max(1, whole) }));
  return (
    <DataTable
      label={texts.largestTables}
      rows={rows}
      columns={TABLE_COLUMNS}
      rowKey={({ name }) => name}
      dense
    />
  );
}

type Endpoint = SystemView['webhooks']['endpoints'][number];

const WEBHOOK_COLUMNS: readonly Column<Endpoint>[] = [
  { id: 'url', header: texts.endpoint, cell: ({ url }) => <NameText name={url} /> },
  {
    id: 'lag',
    header: texts.lag,
    align: 'right',
    cell: ({ lag_events }) => <span className="num">{number(lag_events)}</span>,
  },
  {
    id: 'failing',
    header: texts.failingSince,
    cell: ({ failing_since }) => <Time value={failing_since} absent="–" />,
  },
];

export function WebhooksTable({ endpoints }: { readonly endpoints: readonly Endpoint[] }) {
  return (
    <DataTable
      label={texts.webhooksBehind}
      rows={endpoints}
      columns={WEBHOOK_COLUMNS}
      rowKey={({ id }) => id}
      rowLink={({ id }) => ({ to: '/settings/webhooks/$id', params: { id } })}
      dense
    />
  );
}

const CHANGE_COLUMNS: readonly Column<AuditEntryView>[] = [
  { id: 'action', header: texts.action, cell: ({ action }) => <code className="mono">{action}</code> },
  {
    id: 'target',
    header: texts.target,
    wideOnly: true,
    cell: ({ target }) => <Id value={target.id} of={texts.theTarget(target.type)} />,
  },
  { id: 'at', header: texts.when, align: 'right', cell: ({ created_at }) => <Time value={created_at} /> },
];

export function ChangesTable({ entries }: { readonly entries: readonly AuditEntryView[] }) {
  if (entries.length === 0) return <p className="px-5 text-text-2">{texts.noChanges}</p>;
  return (
    <DataTable
      label={texts.recentChanges}
      rows={entries}
      columns={CHANGE_COLUMNS}
      rowKey={({ id }) => id}
      dense
    />
  );
}
