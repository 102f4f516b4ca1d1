import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  executionQuery,
  executionNodesQuery,
  type NodeTypeView,
  type WorkflowView,
} from '../../../api/index.ts';
import type { ExpressionContext } from '../expression-completions.ts';
import { type Address, type Definition, nodesIn } from './definition.ts';

/** What the expressions of a node can read; values are those of the workflow's last execution. */
export function useExpressionContext(
  workflow: WorkflowView | null,
  definition: Definition,
  address: Address | null,
  types: readonly NodeTypeView[],
): ExpressionContext {
  const last = useLastValues(workflow);
  const loop = address?.loop ?? null;
  const id = address?.id ?? null;
  return useMemo(() => {
    const visible = [...nodesIn(definition, null), ...(loop === null ? [] : nodesIn(definition, loop))];
    return {
      inputSchema: definition['input_schema'],
      nodes: visible
        .filter((node) => node.id !== id && node.id !== loop)
        .map((node) => ({
          id: node.id,
          type: node.type,
          outputSchema: types.find(({ type }) => type === node.type)?.output_schema,
        })),
      secrets: [],
      isInLoop: loop !== null,
      last,
    };
  }, [definition, loop, id, types, last]);
}

/** The values of the last execution as expressions see them; null before the first one. */
function useLastValues(workflow: WorkflowView | null): Readonly<Record<string, unknown>> | null {
  const id = workflow?.last_execution?.id;
  const execution = useQuery({ ...executionQuery(id ?? ''), enabled: id !== undefined }).data;
  const nodes = useQuery({ ...executionNodesQuery(id ?? ''), enabled: id !== undefined }).data;
  return useMemo(() => {
    if (workflow === null || execution === undefined || nodes === undefined) return null;
    // The first item of a loop stands for all of them.
    const shown = nodes.data.filter(({ iteration }) => iteration === null || iteration === 0);
    return {
      input: execution.input,
      nodes: Object.fromEntries(
        shown.map(({ node_id, status, output, error }) => [node_id, { status, output, error }]),
      ),
      session: { id: execution.session_id, state: {} },
      workflow: { id: workflow.id, name: workflow.name, version: execution.workflow_version },
      execution: { id: execution.id },
    };
  }, [workflow, execution, nodes]);
}
