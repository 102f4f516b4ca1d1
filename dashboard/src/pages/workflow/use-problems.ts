import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answer, type NodeTypeView, validateWorkflow } from '../../api/index.ts';
import type { Problem } from '../../editor/json-editor.tsx';
import { texts } from '../../texts/en/workflow.ts';
import { messageOf, useSettled } from '../../ui/index.ts';
import { definitionChecks } from './definition-checks.ts';
import { bodyOf, type WorkflowHead } from './live-workflow.ts';

export interface Problems {
  readonly list: readonly Problem[];
  /** Warnings about problems that may occur during an execution. They do not prevent saving. */
  readonly warnings: readonly Problem[];
  /** Whether the validation of the current text is finished. */
  readonly settled: boolean;
  /** Error of the last validation request; null if the request did not fail. */
  readonly error: unknown;
}

/**
 * Validates a definition while the user types. Local checks run at each key press. After a pause in typing, the service
 * validates the text and finds additional problems.
 */
export function useProblems(
  workflow: WorkflowHead,
  text: string,
  types: readonly NodeTypeView[] | undefined,
): Problems {
  const checks = useMemo(() => definitionChecks(types), [types]);
  const parsed = useMemo(() => parseDefinition(text), [text]);
  const local = useMemo(() => (parsed instanceof Error ? [] : checks(parsed)), [checks, parsed]);
  const settledText = useSettled(text);
  const settled = useMemo(() => parseDefinition(settledText), [settledText]);
  const { data, error } = useQuery({
    queryKey: ['workflow-problems', workflow.name, workflow.status, settledText],
    enabled: !(settled instanceof Error),
    gcTime: 0,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const definition = settled as Exclude<typeof settled, Error>;
      const response = await answer(validateWorkflow({ signal, body: bodyOf(workflow, definition) }));
      return { ...response, definition, text: settledText };
    },
  });
  const remote = useMemo(
    () => (data === undefined ? [] : withoutSame(data.errors, checks(data.definition))),
    [data, checks],
  );
  // Local checks find only some problems. The list keeps the other problems from the previous response until
  // the service responds for the current text.
  const pending = useMemo(() => [...local, ...withoutSame(remote, local)], [local, remote]);
  if (parsed instanceof Error)
    return {
      list: [{ field: '', reason: messageOf(parsed) }],
      warnings: [],
      settled: settledText === text,
      error: null,
    };
  const isCurrent = data?.text === text;
  return {
    list: isCurrent ? data.errors : pending,
    warnings: (data?.warnings ?? []).map(({ path, message }) => ({ field: path, reason: message })),
    settled: isCurrent,
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

function withoutSame(problems: readonly Problem[], others: readonly Problem[]): readonly Problem[] {
  return problems.filter(
    ({ field, reason }) => !others.some((other) => other.field === field && other.reason === reason),
  );
}
