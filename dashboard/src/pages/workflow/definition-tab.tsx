import { CircleAlert, CircleCheck } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { ApiError, loadChunk, queryClient } from '../../api/index.ts';
import { count } from '../../format/index.ts';
import { Button, ErrorNote, Skeleton, useFailure, useToast, useUrlSearch } from '../../ui/index.ts';
import { DiffView } from './diff-view.tsx';
import { nodeAt, placeOf, type TextRange } from './json-place.ts';
import { definitionText, type LiveWorkflow, liveWorkflowQuery, replaceDefinition } from './live-workflow.ts';
import { parseDefinition, type Problem, type Problems, useProblems } from './use-problems.ts';

const JsonEditor = lazy(async () => ({
  default: (await loadChunk(() => import('./json-editor.tsx'))).JsonEditor,
}));

/** A definition that is being changed, and what it was when that began. */
export interface DefinitionDraft {
  readonly text: string;
  readonly base: LiveWorkflow;
}

interface DefinitionTabProps {
  readonly live: LiveWorkflow;
  /** Kept by the page, so that it outlives a look at another tab. */
  readonly draft: DefinitionDraft | null;
  /** Null for who may only read. */
  readonly onDraft: ((draft: DefinitionDraft | null) => void) | null;
}

export function DefinitionTab({ live, draft, onDraft }: DefinitionTabProps) {
  const { workflow } = live;
  const liveText = definitionText(workflow);
  const text = draft?.text ?? liveText;
  const problems = useProblems(workflow, text);
  const [, change] = useUrlSearch();
  const [target, setTarget] = useState<TextRange | null>(null);
  const [showsDiff, setShowsDiff] = useState(false);
  const saving = useSaving(live, draft, () => onDraft?.(null));
  const isChanged = draft !== null;
  const canSave = isChanged && problems.settled && problems.list.length === 0;
  useSaveKey(() => {
    if (canSave) void saving.submit();
  });
  const edit = (next: string): void => {
    if (next === liveText && (draft === null || draft.base.etag === live.etag)) onDraft?.(null);
    else onDraft?.({ text: next, base: draft?.base ?? live });
  };
  return (
    <div className="flex flex-col gap-3 p-5">
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto text-text-2">
          {isChanged
            ? 'Unsaved changes. Saving makes a new version.'
            : `This is version ${workflow.version}.`}
        </p>
        {isChanged && (
          <>
            <Button aria-pressed={showsDiff} onClick={() => setShowsDiff(!showsDiff)}>
              {showsDiff ? 'Hide changes' : 'Show changes'}
            </Button>
            <Button onClick={() => onDraft?.(null)}>Discard</Button>
          </>
        )}
        {onDraft !== null && (
          <Button kind="primary" disabled={!canSave} busy={saving.busy} onClick={() => void saving.submit()}>
            Save
          </Button>
        )}
      </div>
      {saving.conflict !== null && draft !== null && (
        <Conflict
          base={draft.base}
          live={saving.conflict}
          busy={saving.busy}
          onMine={() => void saving.submit(saving.conflict?.etag)}
          onTheirs={() => {
            saving.settle();
            onDraft?.(null);
          }}
        />
      )}
      {saving.error !== null && <ErrorNote error={saving.error} title="The definition was not saved." />}
      {showsDiff && isChanged && (
        <DiffView label="Changes against the live version" before={liveText} after={text} />
      )}
      <div className="flex flex-col gap-3 lg:flex-row">
        <div className="h-[calc(100dvh-260px)] min-h-[320px] min-w-0 flex-1 overflow-hidden rounded-md border border-border">
          <Suspense fallback={<Skeleton className="h-full" />}>
            <JsonEditor
              label="Definition"
              value={text}
              onChange={onDraft === null ? null : edit}
              target={target}
            />
          </Suspense>
        </div>
        <ProblemList
          problems={problems}
          onSelect={({ field }) => {
            setTarget(placeOf(text, field));
            const node = nodeAt(text, field);
            if (node !== undefined) change({ node });
          }}
        />
      </div>
    </div>
  );
}

/** Ctrl or Cmd with S saves, in the editor as well. */
function useSaveKey(onSave: () => void): void {
  const latest = useRef(onSave);
  useEffect(() => {
    latest.current = onSave;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

interface Saving {
  readonly busy: boolean;
  readonly error: unknown;
  /** The workflow as somebody else left it meanwhile. */
  readonly conflict: LiveWorkflow | null;
  /** @param over saves over the workflow of this tag, whatever it was changed to */
  submit(over?: string): Promise<void>;
  settle(): void;
}

function useSaving(live: LiveWorkflow, draft: DefinitionDraft | null, onSaved: () => void): Saving {
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useFailure();
  const [conflict, setConflict] = useState<LiveWorkflow | null>(null);
  const id = live.workflow.id;
  const put = async (etag: string): Promise<void> => {
    const definition = parseDefinition(draft?.text ?? '');
    if (definition instanceof Error) throw definition;
    const { version } = await replaceDefinition(conflict?.workflow ?? live.workflow, definition, etag);
    setConflict(null);
    onSaved();
    toast(`Saved as version ${version}`);
  };
  const submit = async (over?: string): Promise<void> => {
    if (draft === null) return;
    setBusy(true);
    setError(null);
    try {
      await put(over ?? draft.base.etag);
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 412)
        setConflict(await queryClient.query({ ...liveWorkflowQuery(id), staleTime: 0 }));
      else setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, conflict, submit, settle: () => setConflict(null) };
}

interface ConflictProps {
  readonly base: LiveWorkflow;
  readonly live: LiveWorkflow;
  readonly busy: boolean;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}

/** Somebody else was quicker: what they changed, and the choice of what stays. */
function Conflict({ base, live, busy, onMine, onTheirs }: ConflictProps) {
  return (
    <section
      role="alert"
      aria-label="Changed meanwhile"
      className="flex flex-col gap-2 rounded-md border border-waiting p-3"
    >
      <h2 className="font-semibold text-waiting">The workflow was changed while you edited it</h2>
      <p>
        Nothing is saved, and your text is still here. This is what changed from version{' '}
        {base.workflow.version} to version {live.workflow.version}:
      </p>
      <DiffView label="What changed meanwhile" before={describedText(base)} after={describedText(live)} />
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" busy={busy} onClick={onMine}>
          Save mine over it
        </Button>
        <Button onClick={onTheirs}>Drop mine, take theirs</Button>
      </div>
    </section>
  );
}

function describedText({ workflow }: LiveWorkflow): string {
  const { name, description, status, tags } = workflow;
  return `${JSON.stringify({ name, description, status, tags }, null, 2)}\n${definitionText(workflow)}`;
}

interface ProblemListProps {
  readonly problems: Problems;
  readonly onSelect: (problem: Problem) => void;
}

function ProblemList({ problems, onSelect }: ProblemListProps) {
  const { list, settled, error } = problems;
  return (
    <section aria-label="Problems" className="flex flex-col gap-2 lg:w-[300px]">
      <h2 aria-live="polite" className="flex items-center gap-1.5 font-semibold">
        {list.length > 0 ? (
          <>
            <CircleAlert size={14} aria-hidden className="text-failed" />
            {count(list.length, 'problem')}
          </>
        ) : settled ? (
          <>
            <CircleCheck size={14} aria-hidden className="text-completed" />
            No problems
          </>
        ) : (
          'Checking'
        )}
      </h2>
      {error !== null && <ErrorNote error={error} title="Could not check the definition." />}
      <ul className="flex flex-col gap-1">
        {list.map((problem) => (
          <li key={`${problem.field} ${problem.reason}`}>
            <button
              type="button"
              onClick={() => onSelect(problem)}
              className="w-full rounded-sm border border-border bg-surface px-2.5 py-1.5 text-left hover:bg-muted"
            >
              {problem.field !== '' && <code className="mono block break-all">{problem.field}</code>}
              <span className="block break-words text-failed">{problem.reason}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
