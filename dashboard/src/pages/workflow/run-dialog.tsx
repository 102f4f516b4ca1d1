import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useId, useMemo, useState } from 'react';
import { answer, ApiError, queryClient, startExecution, type WorkflowView } from '../../api/index.ts';
import { texts } from '../../texts/en/workflow.ts';
import {
  Button,
  Dialog,
  draftOf,
  ErrorNote,
  InputFields,
  inputShape,
  readDraft,
  useFailure,
  useStored,
} from '../../ui/index.ts';

interface RunDialogProps {
  readonly workflow: WorkflowView;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks for input according to the schema, starts an execution and opens it. */
export function RunDialog({ workflow, open, onClose }: RunDialogProps) {
  const formId = useId();
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={texts.runTitle(workflow.name)}
      description={texts.versionHint(workflow.version)}
      actions={
        <>
          <Button onClick={onClose}>{texts.close}</Button>
          <Button kind="primary" type="submit" form={formId} busy={busy}>
            {texts.startExecution}
          </Button>
        </>
      }
    >
      <RunForm id={formId} workflow={workflow} onBusy={setBusy} />
    </Dialog>
  );
}

interface RunFormProps {
  readonly id: string;
  readonly workflow: WorkflowView;
  readonly onBusy: (busy: boolean) => void;
}

function RunForm({ id, workflow, onBusy }: RunFormProps) {
  const shape = useMemo(
    () => inputShape(workflow.input_schema, texts.input, workflow.input_schema !== undefined),
    [workflow],
  );
  const [draft, setDraft] = useState(() => draftOf(shape));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useFailure();
  const navigate = useNavigate();
  const [, setWatched] = useStored('watched-a-run');
  const start = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const read = readDraft(shape, draft);
    setFaults(read.faults);
    setError(null);
    if (Object.keys(read.faults).length > 0) return;
    onBusy(true);
    try {
      const body = read.value === undefined ? {} : { input: read.value };
      const run = await answer(startExecution({ path: { id: workflow.id }, body }));
      void queryClient.invalidateQueries({ queryKey: ['executions'] });
      // Completes the last of the first steps on the overview.
      setWatched('yes');
      await navigate({ to: '/executions/$id', params: { id: run.id } });
    } catch (failure) {
      setError(failure);
    } finally {
      onBusy(false);
    }
  };
  const faultOf = (path: string): string | undefined =>
    faults[path] ?? (error instanceof ApiError ? error.faultOf(path) : undefined);
  return (
    <form id={id} noValidate onSubmit={(event) => void start(event)} className="flex flex-col gap-4">
      <InputFields shape={shape} draft={draft} onChange={setDraft} path="input" faultOf={faultOf} />
      {error !== null && <ErrorNote error={error} title={texts.notStarted} />}
    </form>
  );
}
