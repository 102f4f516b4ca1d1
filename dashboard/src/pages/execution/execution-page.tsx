import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { memo, useCallback, useEffect, useMemo, useState } from 'react';
import { ApiError, executionQuery, type ExecutionView, workflowVersionQuery } from '../../api/index.ts';
import type { RunStatus } from '../../format/index.ts';
import { useWorkflowName } from '../../shell/workflow-names.ts';
import { texts } from '../../texts/en/execution.ts';
import {
  buttonClasses,
  CopyIcon,
  type Crumb,
  EmptyState,
  ErrorNote,
  FINAL_STATUSES,
  LoadFailed,
  PageHeader,
  shortId,
  SkeletonRows,
  StatusBadge,
  useUrlSearch,
} from '../../ui/index.ts';
import { GraphPane } from './graph-pane.tsx';
import type { SelectedNode } from './inspector-props.ts';
import { Inspector } from './inspector.tsx';
import { type ShownNode, ShownNodes } from './node-words.ts';
import { RunButtons } from './run-buttons.tsx';
import { graphOf, type GraphNode } from './run-graph.ts';
import { RunStrip } from './run-strip.tsx';
import { runOf, type RunState } from './run-state.ts';
import { Scrubber } from './scrubber.tsx';
import { Timeline } from './timeline.tsx';
import { useReplay } from './use-replay.ts';
import { useRunJournal } from './use-run-journal.ts';
import { useEventAnnouncements } from './use-event-announcements.ts';

const CRUMBS: readonly Crumb[] = [{ label: texts.executions, to: '/executions' }];
const NO_NODES: readonly GraphNode[] = [];

export function ExecutionPage() {
  const { id } = useParams({ from: '/inside/executions/$id' });
  const { data, error, refetch } = useQuery(executionQuery(id));
  if (data !== undefined) return <RunPage key={id} run={data} />;
  return (
    <>
      <UnnamedHeader id={id} />
      {error === null ? (
        <SkeletonRows />
      ) : isNoSuchRun(error) ? (
        <EmptyState title={texts.notFound}>
          <p>{texts.notFoundReason}</p>
          <Link to="/executions" className={buttonClasses()}>
            {texts.showAllExecutions}
          </Link>
        </EmptyState>
      ) : (
        <LoadFailed error={error} title={texts.couldNotLoadExecution} onRetry={refetch} />
      )}
    </>
  );
}

function UnnamedHeader({ id }: { readonly id: string }) {
  return <PageHeader title={texts.executionTitle(shortId(id))} heading={<RunId id={id} />} crumbs={CRUMBS} />;
}

/**
 * Whether no execution has the requested id. The service responds with 404 to an unknown id, and with 400 to a
 * malformed id.
 */
function isNoSuchRun(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

function RunId({ id }: { readonly id: string }) {
  return (
    <span className="whitespace-nowrap">
      <span title={id} className="num mr-1">
        {shortId(id)}
      </span>
      <CopyIcon value={id} label={texts.copyExecutionId} className="-my-1 align-middle" />
    </span>
  );
}

function RunPage({ run }: { readonly run: ExecutionView }) {
  const { id, workflow_id, workflow_version } = run;
  const journal = useRunJournal(id, run.last_sequence);
  const replay = useReplay(journal);
  const { state, place } = replay;
  const workflow = useWorkflowName(workflow_id);
  const definition = useQuery(workflowVersionQuery(workflow_id, workflow_version));
  const graph = useMemo(
    () => (definition.data === undefined ? NO_NODES : graphOf(definition.data.nodes)),
    [definition.data],
  );
  const [shown] = useState(() => new ShownNodes());
  const nodes = useMemo(() => shown.of(graph, state), [shown, graph, state]);
  const [search, change] = useUrlSearch();
  const select = useCallback((key: string | null) => change({ node: key ?? undefined }), [change]);
  const selected = selectedOf(search['node'] ?? null, nodes, state);
  // Until the whole journal is read, the page shows the state after the events read so far, which is not the
  // live state.
  const isLive = place === null && journal.isRead;
  const at = isLive ? null : state.at;
  const now = useCallback(() => at ?? Date.now(), [at]);
  // The events read so far may lead to an outdated status. Until all events are read, the page shows the status of the
  // fetched execution.
  const status = journal.isRead && journal.events.length > 0 ? journal.state.status : run.status;
  useReadAgainAtTheEnd(id, FINAL_STATUSES.has(status) && !FINAL_STATUSES.has(run.status));
  useEventAnnouncements(journal, graph);
  const isInside = (selected?.run?.loop ?? null) !== null;
  const error = journal.error ?? definition.error;
  const isSelectionKnown = search['node'] === undefined || selected !== null;
  const hasEvents = journal.isRead || (journal.events.length > 0 && isSelectionKnown);
  const isLoaded = hasEvents && definition.data !== undefined;
  if (workflow.isPending)
    return (
      <>
        <UnnamedHeader id={id} />
        <SkeletonRows />
      </>
    );
  return (
    <div className="flex min-h-full flex-col max-lg:shrink-0 lg:h-full">
      <RunHeader
        run={run}
        status={status}
        name={workflow.name}
        from={selected !== null && !isInside ? selected.key : null}
        fromName={selected?.name ?? null}
      />
      {!isLoaded && error === null ? (
        // All parts of the page below the header appear together. A part that appeared later would move the other
        // parts.
        <SkeletonRows rows={10} />
      ) : (
        <>
          <RunStrip
            run={run}
            state={state}
            last={journal.events.length}
            place={isLive ? null : (place ?? journal.events.length)}
          />
          {error !== null && (
            <div className="p-5">
              <ErrorNote error={error} title={texts.couldNotLoadParts} />
            </div>
          )}
          <div className="grid grid-cols-[minmax(0,1fr)] lg:min-h-0 lg:flex-1 lg:grid-cols-[minmax(0,1fr)_360px]">
            <div className="flex min-w-0 flex-col lg:min-h-0">
              {isLoaded ? (
                <>
                  <GraphPane
                    graph={graph}
                    nodes={nodes}
                    selected={search['node'] ?? null}
                    onSelect={select}
                    now={now}
                  />
                  <Timeline
                    graph={graph}
                    nodes={nodes}
                    state={state}
                    selected={search['node'] ?? null}
                    onSelect={select}
                    now={now}
                  />
                </>
              ) : (
                <SkeletonRows rows={10} />
              )}
              <Scrubber
                replay={replay}
                last={journal.events.length}
                total={Math.max(journal.events.length, run.last_sequence)}
              />
            </div>
            <Inspector
              run={run}
              nodes={nodes}
              state={state}
              events={journal.events}
              isLive={isLive}
              selectedKey={search['node'] ?? null}
              selected={selected}
              onSelect={select}
              onGoTo={replay.goTo}
              now={now}
            />
          </div>
        </>
      )}
    </div>
  );
}

interface RunHeaderProps {
  readonly run: ExecutionView;
  readonly status: RunStatus;
  readonly name: string | undefined;
  readonly from: string | null;
  readonly fromName: string | null;
}

/** Header of the page. Memoized, because the page renders at each event, but few events change the header. */
const RunHeader = memo(function RunHeader({ run, status, name, from, fromName }: RunHeaderProps) {
  const { id, workflow_id } = run;
  const crumbs =
    name === undefined
      ? CRUMBS
      : [...CRUMBS, { label: name, to: '/workflows/$id', params: { id: workflow_id } } as const];
  return (
    <PageHeader
      title={texts.executionTitle(shortId(id))}
      heading={<RunId id={id} />}
      crumbs={crumbs}
      beside={<StatusBadge status={status} />}
      actions={<RunButtons run={run} status={status} from={from} fromName={fromName} />}
    />
  );
});

/**
 * The node whose key is in the URL, or null if no node has this key. A key such as `loop[3].id` selects a node inside a
 * loop.
 */
function selectedOf(key: string | null, nodes: readonly ShownNode[], state: RunState): SelectedNode | null {
  if (key === null) return null;
  const shown = nodes.find(({ node }) => node.id === key);
  if (shown !== undefined) {
    const { node, run, itemsDone } = shown;
    return { key, name: node.name, type: node.type, run, maxAttempts: node.maxAttempts, itemsDone };
  }
  const run = runOf(state, key);
  if (run === undefined) return null;
  const own = nodes.find(({ node }) => node.id === run.loop)?.node.body.find(({ id }) => id === run.id);
  return {
    key,
    name: texts.item(own?.name ?? run.id, run.iteration),
    type: run.type,
    run,
    maxAttempts: own?.maxAttempts ?? 1,
    itemsDone: 0,
  };
}

/** Fetches the execution again when the execution has ended, because its events do not contain the output. */
function useReadAgainAtTheEnd(id: string, isDue: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (isDue) void queryClient.invalidateQueries({ queryKey: executionQuery(id).queryKey });
  }, [queryClient, id, isDue]);
}
