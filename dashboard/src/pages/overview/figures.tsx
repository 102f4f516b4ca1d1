import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type ExecutionStatsView, statsQuery } from '../../api/index.ts';
import { duration, number, percent } from '../../format/index.ts';
import { texts } from '../../texts/en/overview.ts';
import { Button, ErrorNote, Skeleton, Sparkline } from '../../ui/index.ts';

const LABELS = [texts.executionsLastDay, texts.successRate, texts.p95Duration, texts.activeNow] as const;

export function Figures({ projectId }: { readonly projectId: string | undefined }) {
  const { data, error, refetch } = useQuery(statsQuery(projectId));
  if (data === undefined && error !== null)
    return (
      <div className="border-b border-border p-5">
        <ErrorNote error={error} title={texts.couldNotLoadFigures}>
          <Button onClick={() => void refetch()}>{texts.tryAgain}</Button>
        </ErrorNote>
      </div>
    );
  return (
    <section aria-label={texts.lastDay} className="border-b border-border">
      <div className="grid max-w-[1600px] grid-cols-2 md:grid-cols-4 [&>*]:px-5 [&>*]:py-3">
        {data === undefined ? (
          LABELS.map((label) => (
            <Figure key={label} label={label} value={<Skeleton className="my-1.5 h-4 w-16" />}>
              <Skeleton className="h-7 w-[120px]" />
            </Figure>
          ))
        ) : (
          <Loaded stats={data} />
        )}
      </div>
    </section>
  );
}

function Loaded({ stats }: { readonly stats: ExecutionStatsView }) {
  const { ended, success_rate, duration_ms, active, series } = stats;
  const runs = ended.completed + ended.failed + ended.cancelled + ended.timed_out;
  const rate = success_rate === null ? '–' : percent(success_rate);
  const p95 = duration_ms.p95 === null ? '–' : duration(duration_ms.p95);
  return (
    <>
      <Figure label={LABELS[0]} value={number(runs)}>
        <Sparkline
          values={series.map(({ completed, failed }) => completed + failed)}
          label={texts.endedLastDay(runs)}
        />
      </Figure>
      <Figure label={LABELS[1]} value={rate}>
        <Sparkline
          most={1}
          values={series.map(({ completed, failed }) =>
            completed + failed === 0 ? null : completed / (completed + failed),
          )}
          label={texts.successRateLastDay(rate)}
        />
      </Figure>
      <Figure label={LABELS[2]} value={p95}>
        <Sparkline values={series.map(({ p95_ms }) => p95_ms)} label={texts.p95LastDay(p95)} />
      </Figure>
      <Figure label={LABELS[3]} value={number(active.total)}>
        <p className="num h-7 text-small text-text-2">{activeWords(active)}</p>
      </Figure>
    </>
  );
}

function activeWords({ running, waiting, queued, paused }: ExecutionStatsView['active']): string {
  return Object.entries({ running, waiting, queued, paused })
    .filter(([, runs]) => runs > 0)
    .map(([state, runs]) => `${number(runs)} ${state}`)
    .join(', ');
}

interface FigureProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly children: ReactNode;
}

function Figure({ label, value, children }: FigureProps) {
  return (
    <div className="flex flex-col">
      <span className="label">{label}</span>
      <span className="num text-figure font-semibold">{value}</span>
      {children}
    </div>
  );
}
