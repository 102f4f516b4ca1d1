import { useQuery } from '@tanstack/react-query';
import { projectsQuery, type ProjectView, useSignIn } from '../api/index.ts';
import { useStored } from '../ui/index.ts';

export interface ProjectChoice {
  /** The project that is looked at; undefined for all of the team. For the `project_id` of lists. */
  readonly projectId: string | undefined;
  readonly projects: readonly ProjectView[];
  readonly choose: (id: string | undefined) => void;
}

/** Which project's things are shown; this browser keeps it for each team. */
export function useProject(): ProjectChoice {
  const { team_id } = useSignIn();
  const [stored, setStored] = useStored(`project:${team_id}`);
  const { data } = useQuery(projectsQuery);
  const projects = data?.data ?? [];
  // One that is gone, or not this team's, is not looked at.
  const isThere = data === undefined || projects.some(({ id }) => id === stored);
  return {
    projectId: stored !== null && isThere ? stored : undefined,
    projects,
    choose: (id) => setStored(id ?? null),
  };
}
