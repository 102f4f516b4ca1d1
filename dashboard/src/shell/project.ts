import { useQuery } from '@tanstack/react-query';
import { projectsQuery, type ProjectView, useSignIn } from '../api/index.ts';
import { useStored } from '../ui/index.ts';

export interface ProjectChoice {
  /** Id of the selected project; undefined if the whole team is selected. */
  readonly projectId: string | undefined;
  readonly projects: readonly ProjectView[];
  readonly areProjectsLoading: boolean;
  readonly choose: (id: string | undefined) => void;
}

/** Returns the selected project. The browser stores one selection for each team. */
export function useProject(): ProjectChoice {
  const { team_id } = useSignIn();
  const [stored, setStored] = useStored(`project:${team_id}`);
  const { data, isLoading } = useQuery(projectsQuery);
  const projects = data?.data ?? [];
  // A stored id is ignored if no project of the team has this id, for example after the deletion of the project.
  const isThere = data === undefined || projects.some(({ id }) => id === stored);
  return {
    projectId: stored !== null && isThere ? stored : undefined,
    projects,
    areProjectsLoading: isLoading,
    choose: (id) => setStored(id ?? null),
  };
}
