import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useId, useMemo, useState } from 'react';
import {
  answer,
  ApiError,
  queryClient,
  startExecution,
  workflowQuery,
  type WorkflowView,
} from '../api/index.ts';
import { texts } from '../texts/en/workflow-input.ts';
import {
  Button,
  Dialog,
  draftOf,
  ErrorNote,
  InputFields,
  inputShape,
  pathsOf,
  readDraft,
  useFailure,
} from '../ui/index.ts';
import { WorkflowField } from './workflow-field.tsx';

interface RunDialogProps {
  readonly workflow: WorkflowView;
  readonly open: boolean;
  readonly onClose: () => void;
}

/**
 * A dialog that starts an execution of a workflow and then opens the execution. The form follows the input schema of
 * the workflow.
 */
export function RunDialog({ workflow, open, onClose }: RunDialogProps) {
  const formId = useId();
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={texts.runTitle(workflow.name)}
      description={texts.versionHint(workflow.version)}
      actions={<Actions formId={formId} busy={busy} onClose={onClose} />}
    >
      <RunForm id={formId} workflow={workflow} sessionId={undefined} onBusy={setBusy} />
    </Dialog>
  );
}

interface SessionRunDialogProps {
  readonly sessionId: string;
  readonly onClose: () => void;
}

/** A dialog that starts an execution in a session and then opens the execution. */
export function SessionRunDialog({ sessionId, onClose }: SessionRunDialogProps) {
  const formId = useId();
  const [busy, setBusy] = useState(false);
  const [workflowId, setWorkflowId] = useState('');
  const { data: workflow, error } = useQuery({ ...workflowQuery(workflowId), enabled: workflowId !== '' });
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.runInSession}
      actions={
        <Actions formId={formId} busy={busy} onClose={onClose} isDisabled={workflow?.id !== workflowId} />
      }
    >
      <div className="flex flex-col gap-4">
        <WorkflowField value={workflowId} isRequired onChange={setWorkflowId} error={undefined} />
        {error !== null && <ErrorNote error={error} />}
        {workflow !== undefined && (
          <RunForm key={workflow.id} id={formId} workflow={workflow} sessionId={sessionId} onBusy={setBusy} />
        )}
      </div>
    </Dialog>
  );
}

interface ActionsProps {
  readonly formId: string;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly isDisabled?: boolean;
}

function Actions({ formId, busy, onClose, isDisabled = false }: ActionsProps) {
  return (
    <>
      <Button onClick={onClose}>{texts.close}</Button>
      <Button kind="primary" type="submit" form={formId} busy={busy} disabled={isDisabled}>
        {texts.startExecution}
      </Button>
    </>
  );
}

interface RunFormProps {
  readonly id: string;
  readonly workflow: WorkflowView;
  readonly sessionId: string | undefined;
  readonly onBusy: (busy: boolean) => void;
}

function RunForm({ id, workflow, sessionId, onBusy }: RunFormProps) {
  const shape = useMemo(
    () => inputShape(workflow.input_schema, texts.input, workflow.input_schema !== undefined),
    [workflow],
  );
  const [draft, setDraft] = useState(() => draftOf(shape));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useFailure();
  const navigate = useNavigate();
  const start = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const read = readDraft(shape, draft);
    setFaults(read.faults);
    setError(null);
    if (Object.keys(read.faults).length > 0) return;
    onBusy(true);
    try {
      const body = { input: read.value, session_id: sessionId };
      const run = await answer(startExecution({ path: { id: workflow.id }, body }));
      void queryClient.invalidateQueries({ queryKey: ['executions'] });
      await navigate({ to: '/executions/$id', params: { id: run.id } });
    } catch (failure) {
      setError(failure);
    } finally {
      onBusy(false);
    }
  };
  const faultOf = (path: string): string | undefined =>
    faults[path] ?? (error instanceof ApiError ? error.faultOf(path) : undefined);
  // Form fields show their own errors. The note appears only if an error belongs to no field.
  const isOnFields = error instanceof ApiError && error.areAllOf(pathsOf(shape, draft));
  return (
    <form id={id} noValidate onSubmit={(event) => void start(event)} className="flex flex-col gap-4">
      <InputFields shape={shape} draft={draft} onChange={setDraft} path="input" faultOf={faultOf} />
      {error !== null && !isOnFields && <ErrorNote error={error} title={texts.notStarted} />}
    </form>
  );
}
