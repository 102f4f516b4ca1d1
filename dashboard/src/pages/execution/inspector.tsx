import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ExecutionView, WorkflowEvent } from '../../api/index.ts';
import { Button, IconButton, StatusBadge, Tabs, useUrlSearch } from '../../ui/index.ts';
import { AttemptList } from './attempt-list.tsx';
import { EventList } from './event-list.tsx';
import { FaultNote } from './fault-note.tsx';
import { ItemList } from './item-list.tsx';
import { NOT_BEGUN, type NodeRun } from './node-run.ts';
import { PayloadView } from './payload-view.tsx';
import { keyOf, type RunState } from './run-state.ts';
import { WaitingNote } from './waiting-note.tsx';

export interface InspectorProps {
  readonly run: ExecutionView;
  readonly state: RunState;
  /** Up to the place that is shown. */
  readonly events: readonly WorkflowEvent[];
  /** The selected node; null shows the run itself. */
  readonly selected: SelectedNode | null;
  readonly onSelect: (key: string | null) => void;
  readonly onGoTo: (sequence: number) => void;
  readonly now: () => number;
}

export interface SelectedNode {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  /** Undefined where nothing happened to it yet. */
  readonly run: NodeRun | undefined;
  readonly maxAttempts: number;
  readonly itemsDone: number;
}

export function Inspector(props: InspectorProps) {
  return (
    <aside
      aria-label="Inspector"
      className="flex flex-col border-border lg:min-h-0 max-lg:border-t lg:border-l"
    >
      {props.selected === null ? (
        <RunInspector {...props} />
      ) : (
        <NodeInspector {...props} selected={props.selected} />
      )}
    </aside>
  );
}

interface PaneProps {
  readonly label: string;
  readonly head: ReactNode;
  readonly tabs: readonly (readonly [id: string, label: string, content: ReactNode])[];
}

/** Which tab is open stands in the URL; one that the thing does not have falls back to the first. */
function Pane({ label, head, tabs }: PaneProps) {
  const [search, change] = useUrlSearch();
  const ids = tabs.map(([id]) => id);
  const selected = ids.find((id) => id === search['tab']) ?? ids[0] ?? '';
  return (
    <>
      <div className="flex min-h-11 items-center gap-2 px-5 pt-2">{head}</div>
      <Tabs
        label={label}
        selected={selected}
        onSelect={(tab) => change({ tab: tab === ids[0] ? undefined : tab })}
        tabs={tabs.map(([id, name, content]) => ({
          id,
          label: name,
          content: <div className="h-full overflow-y-auto px-4 py-3">{content}</div>,
        }))}
      />
    </>
  );
}

function RunInspector({ run, state, events, onSelect, onGoTo }: InspectorProps) {
  const failed = state.error?.node_id ?? null;
  const output = state.status === 'completed' && (
    <PayloadView payload={{ value: run.output, url: null }} label="output" />
  );
  return (
    <Pane
      label="Run"
      head={
        <>
          <h2 className="font-semibold">Run</h2>
          <StatusBadge status={state.status} />
        </>
      }
      tabs={[
        [
          'output',
          'Output',
          <div key="output" className="flex flex-col gap-3">
            {state.error !== null && <FaultNote fault={state.error} isRetried={false} />}
            {failed !== null && (
              <Button className="self-start" onClick={() => onSelect(failed)}>
                Show the failed node
              </Button>
            )}
            {run.status_reason !== null && state.error === null && (
              <p className="text-text-2">{run.status_reason}</p>
            )}
            {output}
            {output === false && state.error === null && (
              <Quiet>No output yet. Select a node to see its own.</Quiet>
            )}
          </div>,
        ],
        [
          'input',
          'Input',
          <PayloadView key="input" payload={{ value: run.input, url: null }} label="input" />,
        ],
        [
          'metadata',
          'Metadata',
          <PayloadView key="metadata" payload={{ value: run.metadata, url: null }} label="metadata" />,
        ],
        ['events', 'Events', <EventList key="events" events={events} onGoTo={onGoTo} />],
      ]}
    />
  );
}

function NodeInspector({
  state,
  events,
  selected,
  onSelect,
  onGoTo,
  now,
}: InspectorProps & { readonly selected: SelectedNode }) {
  const { key, name, type, maxAttempts, itemsDone } = selected;
  const run = selected.run ?? NOT_BEGUN;
  const own = events.filter((event) => keyOf(event) === key);
  const isLoop = run.items !== null;
  return (
    <Pane
      label={name}
      head={
        <>
          <h2 className="min-w-0 truncate font-semibold" title={name}>
            {name}
          </h2>
          <span className="label shrink-0 font-normal">{type}</span>
          <StatusBadge status={run.status} />
          {maxAttempts > 1 && run.attempt > 0 && (
            <span className="num shrink-0 text-small text-text-2 max-xl:hidden">
              {run.attempt} of {maxAttempts}
            </span>
          )}
          <IconButton
            label={run.loop === null ? 'Back to the run' : 'Back to the loop'}
            icon={<X size={14} aria-hidden />}
            onClick={() => onSelect(run.loop)}
            className="ml-auto"
          />
        </>
      }
      tabs={[
        ...(isLoop
          ? [
              [
                'items',
                'Items',
                <ItemList key={key} loop={run} done={itemsDone} runs={state.nodes} onSelect={onSelect} />,
              ] as const,
            ]
          : []),
        [
          'output',
          'Output',
          <div key={key} className="flex flex-col gap-3">
            {run.waiting !== null && run.waiting.kind !== 'retry' && (
              <WaitingNote waiting={run.waiting} now={now} />
            )}
            {run.error !== null && <FaultNote fault={run.error} isRetried={run.status === 'retrying'} />}
            {run.told !== null && run.status === 'running' && !isLoop && <Told told={run.told} />}
            {run.cached && <Quiet>Taken over from an earlier run.</Quiet>}
            {run.output !== null ? (
              <PayloadView payload={run.output} label="output" />
            ) : (
              run.error === null && run.waiting === null && <Quiet>{NO_OUTPUT[run.status]}</Quiet>
            )}
          </div>,
        ],
        [
          'input',
          'Input',
          run.input === null ? (
            <Quiet key={key}>It is known once the node begins.</Quiet>
          ) : (
            <PayloadView key={key} payload={run.input} label="input" />
          ),
        ],
        ['attempts', 'Attempts', <AttemptList key={key} run={run} />],
        ['logs', 'Logs', <Logs key={key} run={run} />],
        ['events', 'Events', <EventList key={key} events={own} onGoTo={onGoTo} />],
      ]}
    />
  );
}

const NO_OUTPUT: Readonly<Record<NodeRun['status'], string>> = {
  pending: 'Nothing happened to this node yet.',
  running: 'Its output comes when it is done.',
  retrying: 'Its output comes when an attempt succeeds.',
  waiting: 'Its output comes when it goes on.',
  completed: 'It has no output.',
  failed: 'It has no output.',
  skipped: 'It was skipped: its condition was false, or what it needs was skipped.',
  cancelled: 'The run ended before this node was done.',
};

function Told({ told }: { readonly told: NonNullable<NodeRun['told']> }) {
  return (
    <p className="num text-text-2">
      {Math.round(told.fraction * 100)} % {told.message}
    </p>
  );
}

function Logs({ run }: { readonly run: NodeRun }) {
  if (run.logs.length === 0) return <Quiet>It logged nothing.</Quiet>;
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label="Logs"
      className="mono overflow-auto rounded-md border border-border bg-muted p-2.5 whitespace-pre"
    >
      {run.logs.join('\n')}
    </div>
  );
}

function Quiet({ children }: { readonly children: ReactNode }) {
  return <p className="text-text-2">{children}</p>;
}
