import { useMemo } from 'react';
import { texts } from '../../texts/en/execution.ts';
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
      label={texts.execution}
      head={
        <>
          <h2 className="font-semibold">{texts.execution}</h2>
          <StatusBadge status={state.status} />
        </>
      }
      tabs={[
        ['output', texts.output, <RunOutput key="output" {...props} />],
        [
          'input',
          texts.input,
          <PayloadView
            key="input"
            payload={{ value: run.input, url: run.input_url ?? null }}
            label={texts.inputData}
          />,
        ],
        [
          'metadata',
          texts.metadata,
          <PayloadView
            key="metadata"
            payload={{ value: run.metadata, url: null }}
            label={texts.metadataData}
          />,
        ],
        ['events', texts.events, <EventList key="events" events={past} onGoTo={onGoTo} />],
      ]}
    />
  );
}

/** Shows the output or error of an execution, or what an unfinished execution waits for. */
function RunOutput({ run, nodes, state, isLive, onSelect, now }: InspectorProps) {
  const failed = state.error?.node_id ?? null;
  const asking = nodes.filter((shown) => (shown.run?.waiting?.approveUrl ?? null) !== null);
  const isDone = state.status === 'completed';
  return (
    <div className="flex flex-col gap-3">
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
          {texts.showFailedNode}
        </Button>
      )}
      {run.status_reason !== null && state.error === null && (
        <p className="text-text-2">{run.status_reason}</p>
      )}
      {isDone && <PayloadView payload={{ value: run.output, url: null }} label={texts.outputData} />}
      {!isDone && state.error === null && <p className="text-text-2">{texts.noOutputYet}</p>}
      {/* The explanation why an execution makes no progress comes last, because it appears late and must not move other
          parts. */}
      {isLive && state.endedAt === null && asking.length === 0 && <Standstill id={run.id} state={state} />}
    </div>
  );
}
