import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { auditQuery, type SystemView, systemQuery } from '../../../api/index.ts';
import { bytes, duration, number, percent } from '../../../format/index.ts';
import { LoadFailed, PageHeader, SkeletonRows } from '../../../ui/index.ts';
import { ChangesTable, ProcessTable, TablesTable } from './operations-tables.tsx';

/** Figures are read again this often, in milliseconds. */
const REFRESH_MS = 5_000;

/** How many of the last changes are shown. */
const CHANGES = 10;

/** How the service is, for those who run it. */
export function OperationsPage() {
  const { data, error, refetch } = useQuery({ ...systemQuery, refetchInterval: REFRESH_MS });
  return (
    <>
      <PageHeader title="Operations" />
      {data === undefined && error === null && <SkeletonRows rows={8} />}
      {error !== null && (
        <LoadFailed error={error} title="Could not read how the service is." onRetry={refetch} />
      )}
      {data !== undefined && (
        <div className="flex flex-col gap-8 py-5">
          <Figures system={data} />
          <Section title="Processes">
            <ProcessTable processes={data.processes} />
          </Section>
          <Section title="Largest tables">
            <TablesTable database={data.database} />
          </Section>
          <Changes />
        </div>
      )}
    </>
  );
}

function Figures({ system: { queue, commits, database, processes } }: { readonly system: SystemView }) {
  const loads = processes.flatMap(({ load }) => (load === null ? [] : [load]));
  const load = loads.reduce((sum, one) => sum + one, 0) / Math.max(1, loads.length);
  return (
    <dl className="grid grid-cols-2 gap-x-7 gap-y-4 px-5 md:grid-cols-4">
      <Figure
        label="Oldest waiting"
        note={`${number(queue.runnable)} could run, ${number(queue.sleeping)} sleep`}
      >
        {queue.runnable === 0 ? 'none' : duration(queue.oldest_seconds * 1_000)}
      </Figure>
      <Figure label="Load" note={`of ${number(loads.length)} that run executions`}>
        {percent(load)}
      </Figure>
      <Figure
        label="Commits, 95th percentile"
        note={
          commits.count === 0 ? 'no commit in five minutes' : `of ${number(commits.count)} in five minutes`
        }
      >
        {commits.p95_ms === null ? '–' : `${commits.p95_ms} ms`}
      </Figure>
      <Figure label="Database" note={database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}>
        {bytes(database.size_bytes)}
      </Figure>
    </dl>
  );
}

function Changes() {
  const { data, error, refetch } = useQuery({
    ...auditQuery({ limit: CHANGES, order: 'desc' }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Section title="Last changes">
      {data === undefined && error === null && <SkeletonRows rows={3} />}
      {error !== null && <LoadFailed error={error} title="Could not read the audit log." onRetry={refetch} />}
      {data !== undefined && <ChangesTable entries={data.data} />}
      <p className="px-5 pt-2">
        <Link to="/settings/audit-log" className="text-accent hover:underline">
          Open the audit log
        </Link>
      </p>
    </Section>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="px-5 pb-2 text-title font-semibold">{title}</h2>
      {children}
    </section>
  );
}

interface FigureProps {
  readonly label: string;
  readonly note: string;
  readonly children: ReactNode;
}

function Figure({ label, note, children }: FigureProps) {
  return (
    <div>
      <dt className="label font-normal">{label}</dt>
      <dd>
        <span className="num text-figure font-semibold">{children}</span>
        <span className="block text-text-2">{note}</span>
      </dd>
    </div>
  );
}
