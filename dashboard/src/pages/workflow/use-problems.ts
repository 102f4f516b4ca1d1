import { useQuery } from '@tanstack/react-query';
import { answer, validateWorkflow } from '../../api/index.ts';
import type { Problem } from '../../editor/json-editor.tsx';
import { texts } from '../../texts/en/workflow.ts';
import { messageOf, useSettled } from '../../ui/index.ts';
import { bodyOf, type WorkflowHead } from './live-workflow.ts';

export interface Problems {
  readonly list: readonly Problem[];
  /** Possible problems at run time. They do not prevent saving. */
  readonly warnings: readonly Problem[];
  /** Whether the problems belong to the current text. */
  readonly settled: boolean;
  /** Why the validation request failed. */
  readonly error: unknown;
}

/** Validates a definition while the user types. */
export function useProblems(workflow: WorkflowHead, text: string): Problems {
  const settledText = useSettled(text);
  const parsed = parseDefinition(settledText);
  const { data, error } = useQuery({
    queryKey: ['workflow-problems', workflow.name, workflow.status, settledText],
    enabled: !(parsed instanceof Error),
    gcTime: 0,
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      answer(validateWorkflow({ signal, body: bodyOf(workflow, parsed as Record<string, unknown>) })),
  });
  if (parsed instanceof Error)
    return {
      list: [{ field: '', reason: messageOf(parsed) }],
      warnings: [],
      settled: settledText === text,
      error: null,
    };
  return {
    list: data?.errors ?? [],
    warnings: (data?.warnings ?? []).map(({ path, message }) => ({ field: path, reason: message })),
    settled: settledText === text && data !== undefined,
    error,
  };
}

export function parseDefinition(text: string): Readonly<Record<string, unknown>> | Error {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
    return new Error(texts.notObject);
  } catch (error) {
    return new Error(texts.notJson(messageOf(error)));
  }
}
