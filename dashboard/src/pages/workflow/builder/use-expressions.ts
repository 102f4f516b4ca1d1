import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  executionQuery,
  executionNodesQuery,
  type NodeTypeView,
  secretNamesQuery,
  useMay,
  type WorkflowView,
} from '../../../api/index.ts';
import { useProject } from '../../../shell/project.ts';
import type { ExpressionContext } from '../expression-completions.ts';
import { type Address, type Definition, nodesIn } from './definition.ts';

/** The data that the expressions of a node can read, with example values from the last execution. */
export function useExpressionContext(
  workflow: WorkflowView | null,
  definition: Definition,
  address: Address | null,
  types: readonly NodeTypeView[],
): ExpressionContext {
  const last = useLastValues(workflow);
  const secrets = useSecretNames(workflow);
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
      secrets,
      isInLoop: loop !== null,
      last,
    };
  }, [definition, loop, id, types, secrets, last]);
}

const NO_NAMES: readonly string[] = [];

/**
 * Names of the secrets that expressions can read: the secrets in the project of the workflow or, for a new workflow, in
 * the selected project.
 */
function useSecretNames(workflow: WorkflowView | null): readonly string[] {
  const { projectId } = useProject();
  const enabled = useMay()('secrets:read');
  const { data } = useQuery({ ...secretNamesQuery(workflow?.project_id ?? projectId), enabled });
  return data ?? NO_NAMES;
}

function useLastValues(workflow: WorkflowView | null): Readonly<Record<string, unknown>> | null {
  const id = workflow?.last_execution?.id;
  const execution = useQuery({ ...executionQuery(id ?? ''), enabled: id !== undefined }).data;
  const nodes = useQuery({ ...executionNodesQuery(id ?? ''), enabled: id !== undefined }).data;
  return useMemo(() => {
    if (workflow === null || execution === undefined || nodes === undefined) return null;
    // For a node inside a loop, the values of the first item serve as the example.
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
