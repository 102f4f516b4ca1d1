import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { ChevronsUpDown } from 'lucide-react';
import { receivedInvitationsQuery, switchTeam, useSignIn } from '../api/index.ts';
import { texts } from '../texts/en/shell.ts';
import { Menu, MenuItem, MenuLabel, MenuSeparator, messageOf, useToast, useUrlSearch } from '../ui/index.ts';
import { useProject } from './project.ts';

/** A menu in which the user selects the team and the project. */
export function TeamSwitch() {
  const router = useRouter();
  const toast = useToast();
  const { teams, team_id } = useSignIn();
  const { projectId, projects, choose } = useProject();
  const [, changeSearch] = useUrlSearch();
  const { data: invitations } = useQuery(receivedInvitationsQuery);
  const invitationCount = invitations?.pagination.total ?? 0;
  const team = teams.find(({ id }) => id === team_id);
  const project = projects.find(({ id }) => id === projectId);
  const change = async (id: string): Promise<void> => {
    try {
      await switchTeam(id);
      await router.navigate({ to: '/' });
    } catch (error) {
      toast(messageOf(error));
    }
  };
  const chooseProject = (id: string | undefined): void => {
    if (id === projectId) return;
    choose(id);
    // Another project has other workflows and sessions, and its list may have fewer pages.
    changeSearch({ workflow: undefined, session: undefined, offset: undefined });
  };
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="mb-2 flex w-full items-center gap-2 rounded-sm border border-border bg-surface px-2 py-1.5 text-left hover:bg-muted"
        >
          <span className="min-w-0 flex-1">
            <span className="sr-only">{texts.teamAndProject}</span>
            <span className="block truncate font-medium">{team?.name ?? texts.team}</span>
            <span className="label block truncate font-normal">{project?.name ?? texts.allProjects}</span>
          </span>
          <ChevronsUpDown size={14} aria-hidden className="text-text-3" />
        </button>
      }
    >
      <MenuLabel>{texts.project}</MenuLabel>
      <MenuItem checked={projectId === undefined} onSelect={() => chooseProject(undefined)}>
        {texts.allProjects}
      </MenuItem>
      {projects.map(({ id, name }) => (
        <MenuItem key={id} checked={id === projectId} onSelect={() => chooseProject(id)}>
          {name}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuLabel>{texts.team}</MenuLabel>
      {teams.map(({ id, name }) => (
        <MenuItem needsService key={id} checked={id === team_id} onSelect={() => void change(id)}>
          {name}
        </MenuItem>
      ))}
      {invitationCount > 0 && (
        <MenuItem onSelect={() => void router.navigate({ to: '/settings/teams' })}>
          {texts.invitationCount(invitationCount)}
        </MenuItem>
      )}
    </Menu>
  );
}
