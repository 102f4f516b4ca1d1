import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton, ProgressBar, StatusBadge } from '../../ui/index.ts';
import { AttemptList } from './attempt-list.tsx';
import { EventList } from './event-list.tsx';
import { FaultNote } from './fault-note.tsx';
import { InspectorPane } from './inspector-pane.tsx';
import type { InspectorProps, SelectedNode } from './inspector-props.ts';
import { ItemList } from './item-list.tsx';
import { NO_ITEMS } from './loop-run.ts';
import { NOT_BEGUN, type NodeRun } from './node-run.ts';
import { PayloadView } from './payload-view.tsx';
import { RunLink } from './run-link.tsx';
import { useOwnEvents } from './use-own-events.ts';
import { WaitingNote } from './waiting-note.tsx';

interface NodeInspectorProps extends InspectorProps {
  readonly selected: SelectedNode;
}

/** Render it with a `key` per node, because its state belongs to one node. */
export function NodeInspector(props: NodeInspectorProps) {
  const { state, events, selected, onSelect, onGoTo } = props;
  const { key, name, type, maxAttempts, itemsDone } = selected;
  const run = selected.run ?? NOT_BEGUN;
  const own = useOwnEvents(key, events, state.sequence);
  return (
    <InspectorPane
      label={name}
      head={
        <>
          <h2 className="min-w-0 truncate font-semibold" title={name}>
            {name}
          </h2>
          <StatusBadge status={run.status} />
          <span className="label num shrink-0 font-normal">
            {type}
            {maxAttempts > 1 && run.attempt > 0 && ` · ${run.attempt} of ${maxAttempts} attempts`}
          </span>
          <IconButton
            label={run.loop === null ? 'Back to the run' : 'Back to the loop'}
            icon={<X size={14} aria-hidden />}
            onClick={() => onSelect(run.loop)}
            className="ml-auto"
          />
        </>
      }
      tabs={[
        ...(run.items === null
          ? []
          : [
              [
                'items',
                'Items',
                <ItemList
                  key="items"
                  node={run}
                  loop={state.loops.get(run.id) ?? NO_ITEMS}
                  done={itemsDone}
                  onSelect={onSelect}
                />,
              ] as const,
            ]),
        ['output', 'Output', <NodeOutput key="output" {...props} />],
        [
          'input',
          'Input',
          run.input === null ? (
            <Quiet key="input">It is known once the node begins.</Quiet>
          ) : (
            <PayloadView key="input" payload={run.input} label="input" />
          ),
        ],
        ['attempts', 'Attempts', <AttemptList key="attempts" run={run} />],
        ['logs', 'Logs', <Logs key="logs" run={run} />],
        ['events', 'Events', <EventList key="events" events={own} onGoTo={onGoTo} />],
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

/** The node's output, its error, or what it waits for. */
function NodeOutput({ run: execution, selected, isLive, now }: NodeInspectorProps) {
  const run = selected.run ?? NOT_BEGUN;
  const { waiting, error, told, output, status, childId } = run;
  return (
    <div className="flex flex-col gap-3">
      {waiting !== null && waiting.kind !== 'retry' && (
        <WaitingNote executionId={execution.id} waiting={waiting} canAct={isLive} now={now} />
      )}
      {status === 'running' && <EarlierFailure run={run} />}
      {error !== null && <FaultNote fault={error} isRetried={status === 'retrying'} />}
      {childId !== null && waiting?.childId !== childId && (
        <Quiet>
          It started the run <RunLink id={childId} of="the child run" />.
        </Quiet>
      )}
      {told !== null && status === 'running' && run.items === null && <Told told={told} />}
      {run.cached && <Quiet>Taken over from an earlier run.</Quiet>}
      {output !== null ? (
        <PayloadView payload={output} label="output" />
      ) : (
        error === null && waiting === null && <Quiet>{NO_OUTPUT[status]}</Quiet>
      )}
    </div>
  );
}

/** The error of the previous attempt, while the node is being retried. */
function EarlierFailure({ run: { segments } }: { readonly run: NodeRun }) {
  const failed = segments.findLast((segment) => segment.error !== null);
  if (failed === undefined) return null;
  return (
    <p className="break-words text-failed">
      Attempt {failed.attempt} failed: {failed.error?.message}
    </p>
  );
}

function Told({ told }: { readonly told: NonNullable<NodeRun['told']> }) {
  return (
    <div>
      <p className="num mb-1 text-text-2">
        {Math.round(told.fraction * 100)} % {told.message}
      </p>
      <ProgressBar label="Progress of the node" fraction={told.fraction} />
    </div>
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
