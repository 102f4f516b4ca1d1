import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { auditQuery, type SystemView, systemQuery } from '../../../api/index.ts';
import { bytes, duration, number, percent } from '../../../format/index.ts';
import { texts } from '../../../texts/en/settings-operations.ts';
import { DocsLink, LoadFailed, PageHeader, SkeletonRows, Time } from '../../../ui/index.ts';
import { ChangesTable, ProcessTable, TablesTable, WebhooksTable } from './operations-tables.tsx';

/** Refetch interval of the page, in milliseconds. */
const REFRESH_MS = 5_000;

/** Number of entries of the audit log that the page shows as recent changes. */
const CHANGES = 10;

export function OperationsPage() {
  const { data, error, refetch } = useQuery({ ...systemQuery, refetchInterval: REFRESH_MS });
  return (
    <>
      <PageHeader title={texts.operations} actions={<DocsLink page="operations" />} />
      {data === undefined && error === null && <SkeletonRows rows={8} />}
      {error !== null && <LoadFailed error={error} title={texts.couldNotLoad} onRetry={refetch} />}
      {data !== undefined && (
        <div className="flex flex-col gap-8 py-5">
          <Figures system={data} />
          <Section title={texts.processes}>
            <ProcessTable processes={data.processes} />
          </Section>
          <Section title={texts.largestTables}>
            <TablesTable database={data.database} />
          </Section>
          <Webhooks webhooks={data.webhooks} />
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
        label={texts.oldestWaiting}
        note={texts.queueDetail(number(queue.runnable), number(queue.sleeping))}
      >
        {queue.runnable === 0 ? texts.none : duration(queue.oldest_seconds * 1_000)}
      </Figure>
      <Figure label={texts.load} note={texts.loadDetail(number(loads.length))}>
        {percent(load)}
      </Figure>
      <Figure
        label={texts.commitLatency}
        note={commits.count === 0 ? texts.noCommits : texts.commitDetail(number(commits.count))}
      >
        {commits.p95_ms === null ? '–' : texts.milliseconds(commits.p95_ms)}
      </Figure>
      <Figure label={texts.database} note={database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}>
        {bytes(database.size_bytes)}
      </Figure>
    </dl>
  );
}

function Webhooks({ webhooks }: { readonly webhooks: SystemView['webhooks'] }) {
  const { active, behind, failing, max_lag_events: lag, failing_since: since, endpoints } = webhooks;
  return (
    <Section title={texts.webhooksBehind}>
      <p className="px-5 pb-2 text-text-2">
        {active === 0
          ? texts.noActiveWebhooks
          : behind + failing === 0
            ? texts.allWebhooksUpToDate(number(active))
            : texts.webhooksOfAllTeams(number(behind), number(active), number(failing), number(lag))}
        {since !== null && (
          <>
            {' '}
            {texts.failingLongestSince} <Time value={since} />.
          </>
        )}
      </p>
      {endpoints.length > 0 && <WebhooksTable endpoints={endpoints} />}
      <p className="px-5 pt-2">
        <Link to="/settings/webhooks" className="text-accent hover:underline">
          {texts.openWebhooks}
        </Link>
      </p>
    </Section>
  );
}

function Changes() {
  const { data, error, refetch } = useQuery({
    ...auditQuery({ limit: CHANGES, order: 'desc' }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Section title={texts.recentChanges}>
      {data === undefined && error === null && <SkeletonRows rows={3} />}
      {error !== null && <LoadFailed error={error} title={texts.couldNotLoadAudit} onRetry={refetch} />}
      {data !== undefined && <ChangesTable entries={data.data} />}
      <p className="px-5 pt-2">
        <Link to="/settings/audit-log" className="text-accent hover:underline">
          {texts.openAuditLog}
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
