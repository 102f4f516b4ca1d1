import { useEffect, useRef, useState } from 'react';
import { ApiError, queryClient } from '../../api/index.ts';
import { texts } from '../../texts/en/workflow.ts';
import { useSubmit, useToast } from '../../ui/index.ts';
import { type LiveWorkflow, liveWorkflowQuery, replaceDefinition } from './live-workflow.ts';
import { parseDefinition } from './use-problems.ts';

/** An edited definition, and the saved workflow on which the edits are based. */
export interface DefinitionDraft {
  readonly text: string;
  readonly base: LiveWorkflow;
}

/** Calls `onSave` on Ctrl+S or Cmd+S, even if the focus is inside the editor. */
export function useSaveKey(onSave: () => void): void {
  const latest = useRef(onSave);
  useEffect(() => {
    latest.current = onSave;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      if (!event.repeat) latest.current();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

export interface Saving {
  readonly busy: boolean;
  readonly error: unknown;
  readonly conflict: LiveWorkflow | null;
  /**
   * @param over ETag of the version that the save overwrites
   */
  submit(over?: string): Promise<void>;
  settle(): void;
}

/**
 * Saves a draft as a new version. If another user has changed the workflow, `conflict` contains the changed workflow
 * instead.
 * @param onSaved called with the saved draft, whose `base` is the new version
 */
export function useSaving(
  live: LiveWorkflow,
  draft: DefinitionDraft | null,
  onSaved: (saved: DefinitionDraft) => void,
): Saving {
  const toast = useToast();
  const { busy, error, send } = useSubmit();
  const [conflict, setConflict] = useState<LiveWorkflow | null>(null);
  const id = live.workflow.id;
  const put = async (text: string, etag: string): Promise<void> => {
    const definition = parseDefinition(text);
    if (definition instanceof Error) throw definition;
    const base = await replaceDefinition(conflict?.workflow ?? live.workflow, definition, etag);
    setConflict(null);
    onSaved({ text, base });
    toast(texts.savedAsVersion(base.workflow.version));
  };
  const submit = async (over?: string): Promise<void> => {
    if (draft === null) return;
    await send(async () => {
      try {
        await put(draft.text, over ?? draft.base.etag);
      } catch (failure) {
        if (!(failure instanceof ApiError && failure.status === 412)) throw failure;
        setConflict(await queryClient.query({ ...liveWorkflowQuery(id), staleTime: 0 }));
      }
    });
  };
  return { busy, error, conflict, submit, settle: () => setConflict(null) };
}
