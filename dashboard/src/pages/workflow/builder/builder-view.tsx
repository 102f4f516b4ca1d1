import { Link, useNavigate } from '@tanstack/react-router';
import { Redo2, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { answer, createWorkflow, type NodeTypeView, queryClient, useMay } from '../../../api/index.ts';
import { useProject } from '../../../shell/project.ts';
import { texts } from '../../../texts/en/workflow-builder.ts';
import {
  Button,
  buttonClasses,
  ErrorNote,
  IconButton,
  Input,
  PageHeader,
  useSubmit,
  useToast,
  useUrlSearch,
} from '../../../ui/index.ts';
import { Conflict } from '../conflict-note.tsx';
import { LeaveGuard } from '../leave-guard.tsx';
import { definitionText, type LiveWorkflow, type WorkflowHead } from '../live-workflow.ts';
import { useProblems } from '../use-problems.ts';
import { useSaveKey, useSaving } from '../use-saving.ts';
import { BuilderPanes } from './builder-panes.tsx';
import { starterNode } from './starter-node.ts';
import { type Builder, useBuilder } from './use-builder.ts';

const CRUMBS = [{ label: texts.workflows, to: '/workflows' }] as const;
const NEW_TEXT: SavedText = {
  text: JSON.stringify({ input_schema: { type: 'object', properties: {} }, nodes: [] }, null, 2),
  base: null,
};
const NEW_HEAD: WorkflowHead = { name: 'new', description: '', status: 'active', tags: [] };

/** The text of the definition when it was opened or saved, and its version; null if no version has been saved. */
interface SavedText {
  readonly text: string;
  readonly base: LiveWorkflow | null;
}

interface BuilderViewProps {
  readonly live: LiveWorkflow | null;
  readonly types: readonly NodeTypeView[];
}

/** The workflow builder, with a graph, a form for one node, and a JSON editor. All three edit the same definition. */
export function BuilderView({ live, types }: BuilderViewProps) {
  // Edits are based on the version that the user opened or saved, even after a refetch of the workflow.
  const [saved, setSaved] = useState(() => (live === null ? NEW_TEXT : savedTextOf(live)));
  const { base } = saved;
  const [search] = useUrlSearch();
  const [name, setName] = useState(search['name'] ?? '');
  const byType = useMemo(() => new Map(types.map((type) => [type.type, type])), [types]);
  const starterOf = useMemo(
    () => (type: string) => {
      const known = byType.get(type);
      return known === undefined ? { type } : starterNode(known);
    },
    [byType],
  );
  const builder = useBuilder(saved.text, starterOf);
  const readOnly = !useMay()('workflows:write');
  const problems = useProblems(base?.workflow ?? NEW_HEAD, builder.text, types);
  const isChanged = builder.text !== saved.text;
  const draft = isChanged && base !== null ? { text: builder.text, base } : null;
  const saving = useSaving(base ?? UNSAVED, draft, setSaved);
  const creating = useCreation(name, builder);
  const canSave = isChanged && builder.isReadable && problems.settled && problems.list.length === 0;
  const save = (): void => {
    if (!canSave || readOnly) return;
    if (base === null) void creating.send();
    else void saving.submit();
  };
  useSaveKey(save);
  // A version with the same definition, such as one with another name, becomes the base of further edits.
  if (
    live !== null &&
    base !== null &&
    live.etag !== base.etag &&
    definitionText(live.workflow) === builder.text
  )
    setSaved(savedTextOf(live));
  const title = base === null ? texts.newWorkflow : base.workflow.name;
  return (
    <div className="flex min-h-0 flex-col lg:h-[100dvh]">
      <PageHeader
        title={base === null ? title : texts.editTitle(title)}
        heading={title}
        crumbs={CRUMBS}
        beside={
          base === null ? (
            <Input
              aria-label={texts.workflowName}
              placeholder={texts.name}
              className="max-w-[240px]"
              value={name}
              aria-invalid={creating.nameError !== undefined || undefined}
              onChange={({ target }) => setName(target.value)}
            />
          ) : (
            <span className="num text-text-3">{texts.versionTag(base.workflow.version, isChanged)}</span>
          )
        }
        actions={
          <>
            <IconButton
              label={texts.undo}
              shortcut="Ctrl Z"
              icon={<Undo2 size={15} />}
              disabled={!builder.canUndo}
              onClick={builder.undo}
            />
            <IconButton
              label={texts.redo}
              shortcut="Ctrl Shift Z"
              icon={<Redo2 size={15} />}
              disabled={!builder.canRedo}
              onClick={builder.redo}
            />
            {base !== null && (
              <Link to="/workflows/$id" params={{ id: base.workflow.id }} className={buttonClasses()}>
                {texts.close}
              </Link>
            )}
            {!readOnly && (
              <Button kind="primary" disabled={!canSave} busy={saving.busy || creating.busy} onClick={save}>
                {base === null ? texts.createWorkflow : texts.saveVersion}
              </Button>
            )}
          </>
        }
      />
      {saving.conflict !== null && draft !== null && (
        <div className="p-3">
          <Conflict
            base={draft.base}
            live={saving.conflict}
            busy={saving.busy}
            onMine={() => void saving.submit(saving.conflict?.etag)}
            onTheirs={() => {
              if (saving.conflict === null) return;
              const theirs = savedTextOf(saving.conflict);
              setSaved(theirs);
              builder.reset(theirs.text);
              saving.settle();
            }}
          />
        </div>
      )}
      <Notes
        refusal={builder.refusal ?? creating.nameError ?? null}
        error={saving.error ?? creating.error}
        isReadable={builder.isReadable}
      />
      <BuilderPanes builder={builder} base={base} types={types} problems={problems} readOnly={readOnly} />
      <LeaveGuard unsaved={isChanged && !creating.isDone} />
    </div>
  );
}

/**
 * Stands for the saved version while the user creates a workflow, because `useSaving` requires a saved version. The
 * builder saves new workflows with another request.
 */
const UNSAVED: LiveWorkflow = {
  etag: '',
  workflow: {
    ...NEW_HEAD,
    id: '',
    project_id: '',
    version: 0,
    config: {},
    nodes: [],
    created_at: '',
    updated_at: '',
  },
};

function savedTextOf(base: LiveWorkflow): SavedText {
  return { text: definitionText(base.workflow), base };
}

interface NotesProps {
  readonly refusal: string | null;
  readonly error: unknown;
  readonly isReadable: boolean;
}

function Notes({ refusal, error, isReadable }: NotesProps) {
  return (
    <div role="status">
      {error !== null && (
        <div className="p-3">
          <ErrorNote error={error} title={texts.workflowWasNotSaved} />
        </div>
      )}
      {!isReadable && (
        <p className="border-b border-border bg-waiting-soft px-5 py-1.5 text-waiting">
          {texts.outdatedGraph}
        </p>
      )}
      {refusal !== null && (
        <p className="border-b border-border bg-failed-soft px-5 py-1.5 text-failed">{refusal}</p>
      )}
    </div>
  );
}

interface Creation {
  readonly busy: boolean;
  readonly isDone: boolean;
  readonly error: unknown;
  readonly nameError: string | undefined;
  readonly send: () => Promise<void>;
}

function useCreation(name: string, { definition }: Builder): Creation {
  const { projectId } = useProject();
  const [isNameMissing, setNameMissing] = useState(false);
  const [isDone, setDone] = useState(false);
  const submission = useSubmit('name');
  const navigate = useNavigate();
  const toast = useToast();
  const send = async (): Promise<void> => {
    setNameMissing(name.trim() === '');
    if (name.trim() === '') return;
    await submission.send(async () => {
      const project = projectId === undefined ? {} : { project_id: projectId };
      const body = { ...definition, ...project, name: name.trim(), nodes: [...definition.nodes] };
      const { id } = await answer(createWorkflow({ body }));
      setDone(true);
      void queryClient.invalidateQueries({ queryKey: ['workflows'] });
      toast(texts.workflowCreated);
      await navigate({ to: '/workflows/$id/edit', params: { id }, ignoreBlocker: true, replace: true });
    });
  };
  const missing = isNameMissing && name.trim() === '' ? texts.enterNameForWorkflow : undefined;
  return {
    busy: submission.busy,
    isDone,
    error: submission.note,
    nameError: missing ?? submission.faultOf('name'),
    send,
  };
}
