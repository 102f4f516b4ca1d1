import { useQuery } from '@tanstack/react-query';
import { projectsQuery, type ProjectView, useSignIn } from '../api/index.ts';
import { useStored } from '../ui/index.ts';

export interface ProjectChoice {
  /** Undefined for the whole team. */
  readonly projectId: string | undefined;
  readonly projects: readonly ProjectView[];
  readonly choose: (id: string | undefined) => void;
}

/** The selected project, stored in this browser per team. */
export function useProject(): ProjectChoice {
  const { team_id } = useSignIn();
  const [stored, setStored] = useStored(`project:${team_id}`);
  const { data } = useQuery(projectsQuery);
  const projects = data?.data ?? [];
  // Ignores a project that was deleted or belongs to another team.
  const isThere = data === undefined || projects.some(({ id }) => id === stored);
  return {
    projectId: stored !== null && isThere ? stored : undefined,
    projects,
    choose: (id) => setStored(id ?? null),
  };
}
