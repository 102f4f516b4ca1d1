import { useQuery } from '@tanstack/react-query';
import { type Dispatch, lazy, type SetStateAction, Suspense, useState } from 'react';
import { loadChunk, nodeTypesQuery } from '../../api/index.ts';
import { nodeAt, placeOf, type TextRange } from '../../editor/json-place.ts';
import { texts } from '../../texts/en/workflow.ts';
import { Button, ErrorNote, Skeleton, useUrlSearch } from '../../ui/index.ts';
import { Conflict } from './conflict-note.tsx';
import { DiffView } from './diff-view.tsx';
import { definitionText, type LiveWorkflow } from './live-workflow.ts';
import { ProblemList } from './problem-list.tsx';
import { type DefinitionDraft, useSaveKey, useSaving } from './use-saving.ts';
import { useProblems } from './use-problems.ts';

const DefinitionEditor = lazy(async () => ({
  default: (await loadChunk(() => import('./definition-editor.tsx'))).DefinitionEditor,
}));

interface DefinitionTabProps {
  readonly live: LiveWorkflow;
  /**
   * The edited definition; null without unsaved changes. The page stores the draft, so that the draft survives a switch
   * of tabs.
   */
  readonly draft: DefinitionDraft | null;
  /** Changes the draft when the user edits the definition. Null if the user may not change the workflow. */
  readonly onDraft: Dispatch<SetStateAction<DefinitionDraft | null>> | null;
}

export function DefinitionTab({ live, draft, onDraft }: DefinitionTabProps) {
  const { workflow } = live;
  const liveText = definitionText(workflow);
  const text = draft?.text ?? liveText;
  const { data: types } = useQuery(nodeTypesQuery);
  const problems = useProblems(workflow, text, types?.data);
  const [, change] = useUrlSearch();
  const [target, setTarget] = useState<TextRange | null>(null);
  const [showsDiff, setShowsDiff] = useState(false);
  const saving = useSaving(live, draft, (saved) =>
    // The user may have continued to edit during the save. These edits are now based on the saved version.
    onDraft?.((now) => (now === null || now.text === saved.text ? null : { ...now, base: saved.base })),
  );
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
    <div className="flex flex-col gap-3 p-5 lg:h-full">
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto text-text-2">
          {isChanged ? texts.unsavedChanges : texts.thisIsVersion(workflow.version)}
        </p>
        {isChanged && (
          <>
            <Button aria-pressed={showsDiff} onClick={() => setShowsDiff(!showsDiff)}>
              {showsDiff ? texts.hideChanges : texts.showChanges}
            </Button>
            <Button onClick={() => onDraft?.(null)}>{texts.discard}</Button>
          </>
        )}
        {onDraft !== null && (
          <Button kind="primary" disabled={!canSave} busy={saving.busy} onClick={() => void saving.submit()}>
            {texts.saveDefinition}
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
      {saving.error !== null && <ErrorNote error={saving.error} title={texts.definitionWasNotSaved} />}
      {showsDiff && isChanged && <DiffView label={texts.changesAgainstLive} before={liveText} after={text} />}
      <div className="flex flex-col gap-3 lg:min-h-[320px] lg:flex-1 lg:flex-row">
        <div className="h-[calc(100dvh-260px)] min-h-[320px] min-w-0 shrink-0 overflow-hidden lg:h-auto lg:flex-1 rounded-md border border-border">
          <Suspense fallback={<Skeleton className="h-full" />}>
            <DefinitionEditor
              label={texts.definition}
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
