import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { memo, useState } from 'react';
import { type ExecutionView, runActions } from '../../api/index.ts';
import type { RunStatus } from '../../format/index.ts';
import { texts } from '../../texts/en/execution.ts';
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
import { CompareDialog } from './compare-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';

interface RunButtonsProps {
  readonly run: ExecutionView;
  readonly status: RunStatus;
  /**
   * Id of the selected node, from which a retry would start. Null if no node is selected, or if the node is inside a
   * loop.
   */
  readonly from: string | null;
  readonly fromName: string | null;
}

/** Buttons for the actions that the status of the execution allows. */
export const RunButtons = memo(function RunButtons({ run, status, from, fromName }: RunButtonsProps) {
  const [asked, setAsked] = useState<'replay' | 'cancel' | 'compare' | null>(null);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const toast = useToast();
  const isOver = FINAL_STATUSES.has(status);
  const [failure, setFailure] = useState('');
  const change = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['executions'] }),
  });
  useForgottenWhenBack(change.error, change.reset);
  const open = ({ id }: ExecutionView): void => {
    toast(texts.executionStarted(shortId(id)));
    void navigate({ to: '/executions/$id', params: { id } });
  };
  /**
   * @param couldNot title of the dialog if the action fails
   */
  const act = (couldNot: string, action: () => Promise<unknown>): void => {
    setFailure(couldNot);
    change.mutate(action);
  };
  const retry = (place: string): void =>
    act(texts.couldNotRetry, async () => open(await runActions.retry(run.id, place)));
  useShortcut('r', texts.replay, () => setAsked('replay'));
  useShortcut('c', texts.cancel, () => setAsked('cancel'), { enabled: !isOver });
  return (
    <>
      {isOver && (
        <Menu
          align="end"
          trigger={
            <Button busy={change.isPending}>
              {texts.retry}
              <ChevronDown size={14} aria-hidden />
            </Button>
          }
        >
          {status !== 'completed' && (
            <MenuItem needsService onSelect={() => retry('failed')}>
              {texts.retryFromFailed}
            </MenuItem>
          )}
          {from !== null && from !== run.error?.node_id && (
            <MenuItem needsService onSelect={() => retry(from)}>
              {texts.retryFrom(fromName)}
            </MenuItem>
          )}
          <MenuItem needsService onSelect={() => retry('start')}>
            {texts.retryFromStart}
          </MenuItem>
        </Menu>
      )}
      {status === 'paused' && (
        <Button
          busy={change.isPending}
          onClick={() => act(texts.couldNotResume, () => runActions.resume(run.id))}
        >
          {texts.resume}
        </Button>
      )}
      {(status === 'queued' || status === 'running' || status === 'waiting') && (
        <Button
          busy={change.isPending}
          onClick={() => act(texts.couldNotPause, () => runActions.pause(run.id))}
        >
          {texts.pause}
        </Button>
      )}
      <Button onClick={() => setAsked('compare')}>{texts.compareWith}</Button>
      <Button needsService shortcut="R" onClick={() => setAsked('replay')}>
        {texts.replay}
      </Button>
      {!isOver && (
        <Button kind="danger" shortcut="C" onClick={() => setAsked('cancel')}>
          {texts.cancel}
        </Button>
      )}
      {change.error !== null && (
        <Dialog open onClose={() => change.reset()} title={failure}>
          <ErrorNote error={change.error} />
        </Dialog>
      )}
      <ReplayDialog
        key={run.id}
        open={asked === 'replay'}
        onClose={() => setAsked(null)}
        run={run}
        isEnded={isOver}
        onStarted={(started) => {
          setAsked(null);
          open(started);
        }}
      />
      {asked === 'compare' && <CompareDialog run={run} onClose={() => setAsked(null)} />}
      <ConfirmDialog
        open={asked === 'cancel' && !isOver}
        onClose={() => setAsked(null)}
        title={texts.cancelQuestion(shortId(run.id))}
        description={texts.cancelHint}
        action={texts.cancelExecution}
        dismiss={texts.keepRunning}
        onConfirm={async () => {
          await runActions.cancel(run.id);
          await queryClient.invalidateQueries({ queryKey: ['executions'] });
        }}
      />
    </>
  );
});
