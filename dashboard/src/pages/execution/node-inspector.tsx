import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { percent } from '../../format/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { IconButton, ProgressBar, StatusBadge } from '../../ui/index.ts';
import { AttemptList } from './attempt-list.tsx';
import { EventList } from './event-list.tsx';
import { FaultNote } from './fault-note.tsx';
import { InspectorPane } from './inspector-pane.tsx';
import type { InspectorProps, SelectedNode } from './inspector-props.ts';
import { ItemList } from './item-list.tsx';
import { NO_ITEMS } from './loop-run.ts';
import { NOT_BEGUN, type NodeRun } from './node-run.ts';
import { type ShownStatus, shownStatus } from './node-words.ts';
import { PayloadView } from './payload-view.tsx';
import { RunLink } from './run-link.tsx';
import { useOwnEvents } from './use-own-events.ts';
import { WaitingNote } from './waiting-note.tsx';

interface NodeInspectorProps extends InspectorProps {
  readonly selected: SelectedNode;
}

/**
 * The inspector of one node. The parent must set a React `key` per node, because the inspector caches the events of its
 * node.
 */
export function NodeInspector(props: NodeInspectorProps) {
  const { state, events, selected, onSelect, onGoTo } = props;
  const { key, name, type, maxAttempts, itemsDone } = selected;
  const run = selected.run ?? NOT_BEGUN;
  const status = shownStatus(selected.run, state.endedAt !== null);
  const own = useOwnEvents(key, events, state.sequence);
  return (
    <InspectorPane
      label={name}
      head={
        <>
          {/* The header wraps, so that a long node name gets lines of its own. */}
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
            <h2 className="line-clamp-3 font-semibold wrap-anywhere" title={name}>
              {name}
            </h2>
            <StatusBadge status={status} />
            <span className="label num font-normal">
              {type}
              {maxAttempts > 1 && run.attempt > 0 && texts.attemptsSuffix(run.attempt, maxAttempts)}
            </span>
          </div>
          <IconButton
            label={run.loop === null ? texts.backToExecution : texts.backToLoop}
            icon={<X size={14} aria-hidden />}
            onClick={() => onSelect(run.loop)}
            className="self-start"
          />
        </>
      }
      tabs={[
        ...(run.items === null
          ? []
          : [
              [
                'items',
                texts.items,
                <ItemList
                  key="items"
                  node={run}
                  loop={state.loops.get(run.id) ?? NO_ITEMS}
                  done={itemsDone}
                  onSelect={onSelect}
                />,
              ] as const,
            ]),
        ['output', texts.output, <NodeOutput key="output" {...props} />],
        [
          'input',
          texts.input,
          run.input === null ? (
            <Quiet key="input">{status === 'not_run' ? texts.notRunReason : texts.inputUnknown}</Quiet>
          ) : (
            <PayloadView key="input" payload={run.input} label={texts.inputData} />
          ),
        ],
        ['attempts', texts.attempts, <AttemptList key="attempts" run={run} />],
        ['logs', texts.logs, <Logs key="logs" run={run} />],
        ['events', texts.events, <EventList key="events" events={own} onGoTo={onGoTo} />],
      ]}
    />
  );
}

const NO_OUTPUT: Readonly<Record<ShownStatus, string>> = {
  not_run: texts.notRunReason,
  pending: texts.noNodeEvents,
  running: texts.outputWhenDone,
  retrying: texts.outputWhenRetried,
  waiting: texts.outputWhenResumed,
  completed: texts.noOutput,
  failed: texts.noOutput,
  skipped: texts.skippedReason,
  cancelled: texts.cancelledReason,
};

function NodeOutput({ run: execution, state, selected, isLive, now }: NodeInspectorProps) {
  const run = selected.run ?? NOT_BEGUN;
  const { waiting, error, reported, output, status, childId } = run;
  return (
    <div className="flex flex-col gap-3">
      {waiting !== null && waiting.kind !== 'retry' && (
        <WaitingNote executionId={execution.id} waiting={waiting} canAct={isLive} now={now} />
      )}
      {status === 'running' && <EarlierFailure run={run} />}
      {error !== null && <FaultNote fault={error} isRetried={status === 'retrying'} />}
      {childId !== null && waiting?.childId !== childId && (
        <Quiet>{texts.startedChild(<RunLink id={childId} of={texts.theChild} />)}</Quiet>
      )}
      {reported !== null && status === 'running' && run.items === null && (
        <ReportedProgress reported={reported} />
      )}
      {run.cached && <Quiet>{texts.reusedResult}</Quiet>}
      {output !== null ? (
        <PayloadView payload={output} label={texts.outputData} />
      ) : (
        error === null &&
        waiting === null && <Quiet>{NO_OUTPUT[shownStatus(selected.run, state.endedAt !== null)]}</Quiet>
      )}
    </div>
  );
}

function EarlierFailure({ run: { segments } }: { readonly run: NodeRun }) {
  const failed = segments.findLast((segment) => segment.error !== null);
  if (failed === undefined) return null;
  return (
    <p className="break-words text-failed">{texts.attemptFailed(failed.attempt, failed.error?.message)}</p>
  );
}

function ReportedProgress({ reported }: { readonly reported: NonNullable<NodeRun['reported']> }) {
  return (
    <div>
      <p className="num mb-1 text-text-2">
        {percent(Math.round(reported.fraction * 100) / 100)} {reported.message}
      </p>
      <ProgressBar label={texts.nodeProgress} fraction={reported.fraction} />
    </div>
  );
}

function Logs({ run }: { readonly run: NodeRun }) {
  if (run.logs.length === 0) return <Quiet>{texts.noLogs}</Quiet>;
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={texts.logs}
      className="mono overflow-auto rounded-md border border-border bg-muted p-2.5 whitespace-pre"
    >
      {run.logs.join('\n')}
    </div>
  );
}

function Quiet({ children }: { readonly children: ReactNode }) {
  return <p className="text-text-2">{children}</p>;
}
