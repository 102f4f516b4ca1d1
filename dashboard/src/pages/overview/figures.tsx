import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { statsQuery } from '../../api/index.ts';
import { duration, number } from '../../format/index.ts';
import { Sparkline } from '../../ui/index.ts';

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Runs, success rate, p95 and what is active, of 24 hours. */
export function Figures({ projectId }: { readonly projectId: string | undefined }) {
  const { data } = useQuery(statsQuery(projectId));
  if (data === undefined) return null;
  const { ended, success_rate, duration_ms, active, series } = data;
  const runs = ended.completed + ended.failed + ended.cancelled + ended.timed_out;
  const perHour = series.map(({ completed, failed }) => completed + failed);
  const rates = series.map(({ completed, failed }) =>
    completed + failed === 0 ? 1 : completed / (completed + failed),
  );
  const rate = success_rate === null ? 'None ended' : percent.format(success_rate);
  return (
    <section
      aria-label="The last 24 hours"
      className="grid grid-cols-2 border-b border-border md:grid-cols-4 [&>*]:px-5 [&>*]:py-3"
    >
      <Figure label="Runs, 24 h" value={number(runs)}>
        <Sparkline values={perHour} label={`${number(runs)} runs ended in the last 24 hours`} />
      </Figure>
      <Figure label="Success rate" value={rate}>
        <Sparkline values={rates} label={`Success rate of the last 24 hours: ${rate}`} />
      </Figure>
      <Figure
        label="p95 duration"
        value={duration_ms.p95 === null ? 'None ended' : duration(duration_ms.p95)}
      />
      <Figure label="Active now" value={number(active.total)} />
    </section>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly children?: ReactNode;
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
