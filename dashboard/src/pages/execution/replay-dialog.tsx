import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useId, useState } from 'react';
import {
  ApiError,
  type ExecutionView,
  loadChunk,
  longInputQuery,
  queryClient,
  runActions,
  workflowQuery,
  workflowVersionQuery,
} from '../../api/index.ts';
import type { Problem } from '../../editor/json-editor.tsx';
import { placeOf, type TextRange } from '../../editor/json-place.ts';
import { texts } from '../../texts/en/execution.ts';
import { Button, Dialog, ErrorNote, Field, JsonTree, Select, Skeleton, useSubmit } from '../../ui/index.ts';

const JsonEditor = lazy(async () => ({
  default: (await loadChunk(() => import('../../editor/json-editor.tsx'))).JsonEditor,
}));

interface ReplayDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly run: ExecutionView;
  readonly isEnded: boolean;
  readonly onStarted: (execution: ExecutionView) => void;
}

/**
 * Dialog that starts the execution again, with any input and any version of the workflow. A closed dialog keeps the
 * changes of the user.
 */
export function ReplayDialog({ open, onClose, run, isEnded, onStarted }: ReplayDialogProps) {
  const form = useId();
  const [changedText, setText] = useState<string | null>(null);
  const [version, setVersion] = useState(run.workflow_version);
  const [target, setTarget] = useState<TextRange | null>(null);
  const isLong = run.input_truncated === true;
  const long = useQuery({ ...longInputQuery(run.id), enabled: open && isLong });
  const recorded = isLong ? long.data : { value: run.input };
  const recordedText = recorded === undefined ? null : JSON.stringify(recorded.value, null, 2);
  const text = changedText ?? recordedText;
  const submission = useSubmit();
  const read = text === null ? null : valueOf(text);
  const problems =
    read === 'invalid' ? [{ field: '', reason: texts.inputNotJson }] : problemsOf(submission.error);
  const start = async (): Promise<void> => {
    if (read === null || read === 'invalid') return;
    await submission.send(async () => {
      const started = await runActions.replay(run, isEnded, version, read.value);
      void queryClient.invalidateQueries({ queryKey: ['executions'] });
      onStarted(started);
    });
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={texts.replayQuestion}
      description={texts.replayHint}
      actions={
        <>
          <Button onClick={onClose}>{texts.dismiss}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            busy={submission.busy}
            disabled={read === null || read === 'invalid'}
          >
            {texts.replay}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <VersionField run={run} version={version} onChange={setVersion} />
        <div className="flex flex-col gap-1">
          <div className="flex min-h-6 items-center justify-between gap-2">
            <span className="font-medium">{texts.inputJson}</span>
            {changedText !== null && (
              <Button kind="quiet" needsService={false} onClick={() => setText(null)}>
                {texts.restoreRecordedInput}
              </Button>
            )}
          </div>
          <div className="h-56 overflow-hidden rounded-md border border-control">
            {text === null ? (
              <Skeleton className="h-full" />
            ) : (
              <Suspense fallback={<Skeleton className="h-full" />}>
                <JsonEditor
                  label={texts.inputJson}
                  value={text}
                  onChange={(next) => {
                    setText(next === recordedText ? null : next);
                    submission.reset();
                  }}
                  target={target}
                  problems={problems}
                />
              </Suspense>
            )}
          </div>
          {long.error !== null && <ErrorNote error={long.error} title={texts.couldNotLoadInput} />}
          {problems.length > 0 && (
            <ul role="alert" className="flex flex-col gap-1">
              {problems.map((problem) => (
                <li key={`${problem.field} ${problem.reason}`}>
                  <button
                    type="button"
                    className="min-h-6 text-left text-small text-failed wrap-anywhere hover:underline"
                    onClick={() => setTarget(placeOf(text ?? '', problem.field))}
                  >
                    {problem.field !== '' && <code className="mono">{problem.field}</code>} {problem.reason}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>
        {open && <SchemaOfVersion workflowId={run.workflow_id} version={version} />}
        {submission.error !== null && problems.length === 0 && (
          <ErrorNote error={submission.error} title={texts.couldNotReplay} />
        )}
      </form>
    </Dialog>
  );
}

interface VersionFieldProps {
  readonly run: ExecutionView;
  readonly version: number;
  readonly onChange: (version: number) => void;
}

/**
 * Field to select a version of the workflow, with the newest version first. Versions are numbered from 1 without gaps.
 */
function VersionField({
  run: { workflow_id, workflow_version: recorded },
  version,
  onChange,
}: VersionFieldProps) {
  const { data: workflow } = useQuery(workflowQuery(workflow_id));
  const current = Math.max(workflow?.version ?? recorded, recorded);
  const versions = Array.from({ length: current }, (_, index) => current - index);
  return (
    <Field label={texts.version} required>
      <Select value={version} onChange={({ target }) => onChange(Number(target.value))}>
        {versions.map((each) => (
          <option key={each} value={each}>
            {texts.versionChoice(each, each === recorded, each === workflow?.version)}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function SchemaOfVersion({ workflowId, version }: { readonly workflowId: string; readonly version: number }) {
  const { data } = useQuery(workflowVersionQuery(workflowId, version));
  if (data?.input_schema === undefined) return null;
  return (
    <details>
      <summary className="cursor-pointer text-text-2">{texts.schemaOfVersion(version)}</summary>
      <div className="mt-1 max-h-48 overflow-y-auto">
        <JsonTree key={version} value={data.input_schema} label={texts.schemaOfVersion(version)} />
      </div>
    </details>
  );
}

/**
 * Parses the JSON text of the input. The value is wrapped in an object, to distinguish every JSON value from the result
 * `invalid`.
 */
function valueOf(text: string): { readonly value: unknown } | 'invalid' {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return 'invalid';
  }
}

/** The errors that the service found in the input, with paths relative to the input. */
function problemsOf(error: unknown): readonly Problem[] {
  if (!(error instanceof ApiError)) return [];
  return error.faults.flatMap(({ field, reason }) => {
    const [, path] = /^input(?:$|\.|(?=\[))(.*)$/.exec(field) ?? [];
    return path === undefined ? [] : [{ field: path, reason }];
  });
}
