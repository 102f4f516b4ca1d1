import { useQuery } from '@tanstack/react-query';
import { executionsQuery, keysQuery, useMay, workflowsQuery } from '../../api/index.ts';
import { useStored } from '../../ui/index.ts';

const ONE = { limit: 1, offset: 0 } as const;

/** Progress of the user in the getting-started steps on the overview page. */
export interface FirstSteps {
  readonly isPending: boolean;
  /**
   * Whether to show the getting-started steps. False while data loads, if all steps are done, if the user hid the
   * steps, or without the scope `workflows:write`.
   */
  readonly areShown: boolean;
  readonly hide: () => void;
  readonly hasKey: boolean;
  readonly workflowId: string | undefined;
  readonly runId: string | undefined;
  readonly watched: boolean;
}

export function useFirstSteps(): FirstSteps {
  const may = useMay();
  const [hidden, setHidden] = useStored('getting-started');
  const [watched] = useStored('watched-a-run');
  const isOffered = hidden === null && may('workflows:write');
  const keys = useQuery({ ...keysQuery(ONE), enabled: isOffered });
  const workflows = useQuery({ ...workflowsQuery(ONE), enabled: isOffered });
  const runs = useQuery({ ...executionsQuery(ONE), enabled: isOffered });
  const hasKey = (keys.data?.data.length ?? 0) > 0;
  const workflowId = workflows.data?.data[0]?.id;
  const runId = runs.data?.data[0]?.id;
  const isDone = hasKey && workflowId !== undefined && runId !== undefined && watched !== null;
  return {
    isPending: isOffered && [keys, workflows, runs].some((query) => query.isPending),
    areShown: isOffered && !isDone && [keys, workflows, runs].every(({ data }) => data !== undefined),
    hide: () => setHidden('hidden'),
    hasKey,
    workflowId,
    runId,
    watched: watched !== null,
  };
}
