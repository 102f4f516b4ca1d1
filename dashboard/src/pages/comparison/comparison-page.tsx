import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { comparisonQuery, type ExecutionDiffView, workflowQuery } from '../../api/index.ts';
import { absoluteTime, duration } from '../../format/index.ts';
import { texts } from '../../texts/en/comparison.ts';
import {
  Button,
  buttonClasses,
  type Crumb,
  EmptyState,
  LoadFailed,
  PageHeader,
  shortId,
  SkeletonRows,
  StatusBadge,
  Switch,
  useUrlSearch,
} from '../../ui/index.ts';
import { NodeDiffs } from './node-diffs.tsx';
import { PathGraph } from './path-graph.tsx';
import { ValueDiff } from './value-diff.tsx';

const CRUMBS: readonly Crumb[] = [{ label: texts.executions, to: '/executions' }];

export function ComparisonPage() {
  const [search, change] = useUrlSearch();
  const { base = '', other = '' } = search;
  const isChosen = base !== '' && other !== '';
  const { data, error, isPending, refetch } = useQuery(comparisonQuery(isChosen ? { base, other } : null));
  const onlyDifferences = search['all'] !== 'yes';
  const swap = (
    <Button
      // The swap button is disabled instead of absent, because the header would otherwise change its height.
      disabled={!isChosen}
      icon={<ArrowLeftRight size={14} aria-hidden />}
      onClick={() => change({ base: other, other: base })}
    >
      {texts.swap}
    </Button>
  );
  return (
    <>
      <PageHeader title={texts.title} crumbs={CRUMBS} actions={swap} />
      {!isChosen ? (
        <EmptyState
          title={texts.chooseTwo}
          action={
            <Link to="/executions" className={buttonClasses()}>
              {texts.showAllRuns}
            </Link>
          }
        >
          {texts.howToChoose}
        </EmptyState>
      ) : data !== undefined ? (
        <Comparison
          diff={data}
          onlyDifferences={onlyDifferences}
          onOnlyDifferences={(only) => change({ all: only ? undefined : 'yes' })}
        />
      ) : isPending ? (
        <SkeletonRows />
      ) : (
        <LoadFailed error={error} title={texts.couldNotCompare} onRetry={refetch} />
      )}
    </>
  );
}

interface ComparisonProps {
  readonly diff: ExecutionDiffView;
  readonly onlyDifferences: boolean;
  readonly onOnlyDifferences: (only: boolean) => void;
}

function Comparison({ diff, onlyDifferences, onOnlyDifferences }: ComparisonProps) {
  const { data: workflow } = useQuery(workflowQuery(diff.workflow_id));
  return (
    <div className="flex flex-col gap-6 p-5">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-3">
        <Link
          to="/workflows/$id"
          params={{ id: diff.workflow_id }}
          className="font-medium text-accent hover:underline"
        >
          {workflow?.name ?? shortId(diff.workflow_id)}
        </Link>
        <Switch label={texts.onlyDifferences} checked={onlyDifferences} onChange={onOnlyDifferences} />
      </div>
      {diff.equal === true && <p role="status">{texts.same}</p>}
      <Figures diff={diff} />
      <Section title={texts.graph}>
        <PathGraph diff={diff} />
      </Section>
      <NodeDiffs diff={diff} onlyDifferences={onlyDifferences} />
      <Section title={texts.input}>
        <ValueDiff label={texts.input} diff={diff.input} />
      </Section>
      <Section title={texts.output}>
        <ValueDiff label={texts.output} diff={diff.output} />
      </Section>
    </div>
  );
}

function Figures({ diff: { base, other } }: Pick<ComparisonProps, 'diff'>) {
  type Side = ExecutionDiffView['base'];
  const facts: readonly (readonly [label: string, of: (side: Side) => ReactNode])[] = [
    [
      texts.run,
      ({ id }) => (
        <Link to="/executions/$id" params={{ id }} className="mono text-accent hover:underline">
          {shortId(id)}
        </Link>
      ),
    ],
    [texts.status, ({ status }) => <StatusBadge status={status} />],
    [texts.version, ({ workflow_version }) => texts.v(workflow_version)],
    [texts.started, ({ started_at }) => (started_at === null ? '–' : absoluteTime(started_at))],
    [texts.duration, ({ duration_ms }) => (duration_ms === null ? '–' : duration(duration_ms))],
    [texts.error, ({ error }) => error?.message ?? texts.none],
  ];
  return (
    <Section title={texts.figures}>
      <table className="w-full table-fixed text-left">
        <thead>
          <tr className="text-text-2">
            <th scope="col" className="w-28 py-1.5 pr-3 font-medium">
              {texts.fact}
            </th>
            <th scope="col" className="py-1.5 pr-3 font-medium">
              {texts.base}
            </th>
            <th scope="col" className="py-1.5 font-medium">
              {texts.other}
            </th>
          </tr>
        </thead>
        <tbody>
          {facts.map(([label, of]) => (
            <tr key={label} className="border-t border-border align-top">
              <th scope="row" className="py-1.5 pr-3 font-normal text-text-2">
                {label}
              </th>
              <td className="num py-1.5 pr-3 wrap-anywhere">{of(base)}</td>
              <td className="num py-1.5 wrap-anywhere">{of(other)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-2 text-title font-semibold">{title}</h2>
      {children}
    </section>
  );
}
