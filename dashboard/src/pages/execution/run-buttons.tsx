import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { memo, useState } from 'react';
import { type ExecutionView, runActions } from '../../api/index.ts';
import type { RunStatus } from '../../format/index.ts';
import {
  Button,
  ConfirmDialog,
  Dialog,
  ErrorNote,
  FINAL_STATUSES,
  Menu,
  MenuItem,
  shortId,
  useForgottenWhenBack,
  useShortcut,
  useToast,
} from '../../ui/index.ts';

interface RunButtonsProps {
  readonly run: ExecutionView;
  readonly status: RunStatus;
  /** The selected node, from which a retry can start; null if there is none, or it is inside a loop. */
  readonly from: string | null;
  readonly fromName: string | null;
}

/** The actions available in the execution's current status. */
export const RunButtons = memo(function RunButtons({ run, status, from, fromName }: RunButtonsProps) {
  const [asked, setAsked] = useState<'replay' | 'cancel' | null>(null);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const toast = useToast();
  const isOver = FINAL_STATUSES.has(status);
  const change = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['executions'] }),
  });
  useForgottenWhenBack(change.error, change.reset);
  const open = async (begin: () => Promise<ExecutionView>): Promise<void> => {
    const { id } = await begin();
    toast(`Run ${shortId(id)} started`);
    void navigate({ to: '/executions/$id', params: { id } });
  };
  const retry = (place: string): void => change.mutate(() => open(() => runActions.retry(run.id, place)));
  useShortcut('r', 'Replay', () => setAsked('replay'));
  useShortcut('c', 'Cancel', () => setAsked('cancel'), { enabled: !isOver });
  return (
    <>
      {isOver && (
        <Menu
          align="end"
          trigger={
            <Button busy={change.isPending}>
              Retry
              <ChevronDown size={14} aria-hidden />
            </Button>
          }
        >
          {status !== 'completed' && (
            <MenuItem needsService onSelect={() => retry('failed')}>
              From the failed node
            </MenuItem>
          )}
          {from !== null && (
            <MenuItem needsService onSelect={() => retry(from)}>
              From {fromName}
            </MenuItem>
          )}
          <MenuItem needsService onSelect={() => retry('start')}>
            From the start
          </MenuItem>
        </Menu>
      )}
      {status === 'paused' && (
        <Button busy={change.isPending} onClick={() => change.mutate(() => runActions.resume(run.id))}>
          Resume
        </Button>
      )}
      {(status === 'queued' || status === 'running' || status === 'waiting') && (
        <Button busy={change.isPending} onClick={() => change.mutate(() => runActions.pause(run.id))}>
          Pause
        </Button>
      )}
      <Button needsService shortcut="R" onClick={() => setAsked('replay')}>
        Replay
      </Button>
      {!isOver && (
        <Button kind="danger" shortcut="C" onClick={() => setAsked('cancel')}>
          Cancel
        </Button>
      )}
      {change.error !== null && (
        <Dialog open onClose={() => change.reset()} title="That did not work">
          <ErrorNote error={change.error} />
        </Dialog>
      )}
      <ReplayDialog
        key={run.id}
        open={asked === 'replay'}
        onClose={() => setAsked(null)}
        version={run.workflow_version}
        onReplay={() => open(() => runActions.replay(run))}
      />
      <ConfirmDialog
        open={asked === 'cancel' && !isOver}
        onClose={() => setAsked(null)}
        title={`Cancel run ${shortId(run.id)}?`}
        description="What runs is stopped. What is done stays done; a cancelled run can be retried later."
        action="Cancel the run"
        onConfirm={async () => {
          await runActions.cancel(run.id);
          await queryClient.invalidateQueries({ queryKey: ['executions'] });
        }}
      />
    </>
  );
});

interface ReplayDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly version: number;
  readonly onReplay: () => Promise<void>;
}

/** Asks for confirmation, since a single key press would repeat side effects such as a payment. */
function ReplayDialog({ open, onClose, version, onReplay }: ReplayDialogProps) {
  const replay = useMutation({ mutationFn: onReplay, onSuccess: onClose });
  useForgottenWhenBack(replay.error, replay.reset);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Run this again?"
      description={`A new run begins from the start, with the same input and version ${version}. Every step is done again.`}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" busy={replay.isPending} onClick={() => replay.mutate()}>
            Replay
          </Button>
        </>
      }
    >
      {replay.error !== null && <ErrorNote error={replay.error} />}
    </Dialog>
  );
}
