import { useMemo } from 'react';
import { Button, StatusBadge } from '../../ui/index.ts';
import { EventList } from './event-list.tsx';
import { FaultNote } from './fault-note.tsx';
import { InspectorPane } from './inspector-pane.tsx';
import type { InspectorProps } from './inspector-props.ts';
import { PayloadView } from './payload-view.tsx';
import { Standstill } from './standstill.tsx';
import { WaitingNote } from './waiting-note.tsx';

export function RunInspector(props: InspectorProps) {
  const { run, state, events, isLive, onGoTo } = props;
  const past = useMemo(
    () => (isLive ? events : events.slice(0, state.sequence)),
    [isLive, events, state.sequence],
  );
  return (
    <InspectorPane
      label="Run"
      head={
        <>
          <h2 className="font-semibold">Run</h2>
          <StatusBadge status={state.status} />
        </>
      }
      tabs={[
        ['output', 'Output', <RunOutput key="output" {...props} />],
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
        ['events', 'Events', <EventList key="events" events={past} onGoTo={onGoTo} />],
      ]}
    />
  );
}

/** The execution's output, its error, or what it waits for. */
function RunOutput({ run, nodes, state, isLive, onSelect, now }: InspectorProps) {
  const failed = state.error?.node_id ?? null;
  const asking = nodes.filter((shown) => (shown.run?.waiting?.approveUrl ?? null) !== null);
  const isDone = state.status === 'completed';
  return (
    <div className="flex flex-col gap-3">
      {isLive && state.endedAt === null && asking.length === 0 && <Standstill id={run.id} state={state} />}
      {asking.map(
        ({ node, run: waiting }) =>
          waiting !== undefined &&
          waiting.waiting !== null && (
            <WaitingNote
              key={node.id}
              executionId={run.id}
              waiting={waiting.waiting}
              canAct={isLive}
              now={now}
            />
          ),
      )}
      {state.error !== null && (
        <FaultNote fault={{ ...state.error, code: state.error.type }} isRetried={false} />
      )}
      {failed !== null && (
        <Button className="self-start" onClick={() => onSelect(failed)}>
          Show the failed node
        </Button>
      )}
      {run.status_reason !== null && state.error === null && (
        <p className="text-text-2">{run.status_reason}</p>
      )}
      {isDone && <PayloadView payload={{ value: run.output, url: null }} label="output" />}
      {!isDone && state.error === null && (
        <p className="text-text-2">No output yet. Select a node to see its own.</p>
      )}
    </div>
  );
}
