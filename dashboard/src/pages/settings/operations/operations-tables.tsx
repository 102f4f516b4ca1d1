import type { AuditEntryView, SystemView } from '../../../api/index.ts';
import { bytes, duration, number, percent } from '../../../format/index.ts';
import { type Column, DataTable, Id, Time } from '../../../ui/index.ts';

type Process = SystemView['processes'][number];
type Table = NonNullable<SystemView['database']['tables']>[number];

/** Time without a heartbeat after which a process is marked as silent, in milliseconds. */
const SILENT_MS = 10_000;

const PROCESS_COLUMNS: readonly Column<Process>[] = [
  {
    id: 'process',
    header: 'Process',
    cell: ({ host, pid }) => (
      <span className="mono break-all">
        {host} {pid}
      </span>
    ),
  },
  { id: 'role', header: 'Role', cell: ({ role }) => role ?? 'unknown' },
  {
    id: 'version',
    header: 'Version',
    wideOnly: true,
    cell: ({ version }) => <span className="mono">{version ?? 'unknown'}</span>,
  },
  {
    id: 'heartbeat',
    header: 'Heartbeat',
    wideOnly: true,
    cell: ({ silent_ms }) =>
      silent_ms > SILENT_MS ? (
        <span className="text-failed">none for {duration(silent_ms)}</span>
      ) : (
        `${duration(silent_ms)} ago`
      ),
  },
  {
    id: 'started',
    header: 'Started',
    wideOnly: true,
    cell: ({ started_at }) => <Time value={started_at} />,
  },
  {
    id: 'leases',
    header: 'Leases',
    align: 'right',
    cell: ({ executions_held }) => <span className="num">{number(executions_held)}</span>,
  },
  {
    id: 'load',
    header: 'Load',
    align: 'right',
    cell: ({ load }) => <span className="num">{load === null ? '–' : percent(load)}</span>,
  },
];

export function ProcessTable({ processes }: { readonly processes: readonly Process[] }) {
  return (
    <DataTable label="Processes" rows={processes} columns={PROCESS_COLUMNS} rowKey={({ id }) => id} dense />
  );
}

interface SizedTable extends Table {
  /** Of the whole database, 0 to 1. */
  readonly share: number;
}

const TABLE_COLUMNS: readonly Column<SizedTable>[] = [
  { id: 'name', header: 'Table', cell: ({ name }) => <code className="mono">{name}</code> },
  {
    id: 'size',
    header: 'Size',
    align: 'right',
    cell: ({ size_bytes }) => <span className="num">{bytes(size_bytes)}</span>,
  },
  {
    id: 'share',
    header: 'Share',
    align: 'right',
    cell: ({ share }) => <span className="num">{percent(share)}</span>,
  },
];

export function TablesTable({
  database: { tables, size_bytes: whole },
}: {
  readonly database: SystemView['database'];
}) {
  if (tables === null)
    return (
      <p className="px-5 text-text-2">
        Not measured: on SQLite beyond 512 MB, that would read the whole file.
      </p>
    );
  const rows = tables.map((table) => ({ ...table, share: table.size_bytes / Math.max(1, whole) }));
  return (
    <DataTable label="Largest tables" rows={rows} columns={TABLE_COLUMNS} rowKey={({ name }) => name} dense />
  );
}

const CHANGE_COLUMNS: readonly Column<AuditEntryView>[] = [
  { id: 'action', header: 'Action', cell: ({ action }) => <code className="mono">{action}</code> },
  {
    id: 'target',
    header: 'Target',
    wideOnly: true,
    cell: ({ target }) => <Id value={target.id} of={`the ${target.type}`} />,
  },
  { id: 'at', header: 'When', align: 'right', cell: ({ created_at }) => <Time value={created_at} /> },
];

export function ChangesTable({ entries }: { readonly entries: readonly AuditEntryView[] }) {
  if (entries.length === 0) return <p className="px-5 text-text-2">Nothing has been changed yet.</p>;
  return (
    <DataTable label="Last changes" rows={entries} columns={CHANGE_COLUMNS} rowKey={({ id }) => id} dense />
  );
}
