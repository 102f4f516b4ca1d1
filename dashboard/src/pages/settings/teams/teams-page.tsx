import { useQuery } from '@tanstack/react-query';
import {
  answer,
  createTeam,
  deleteTeam,
  renameTeam,
  teamsQuery,
  type TeamView,
  useMay,
} from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-teams.ts';
import { type Column, NameText, Time, useListSearch } from '../../../ui/index.ts';
import { ROLES } from '../members/roles.ts';
import { NamedListPage } from '../named-list-page.tsx';
import { ReceivedInvitations } from './received-invitations.tsx';

const COLUMNS: readonly Column<TeamView>[] = [
  { id: 'name', header: texts.name, cell: ({ name }) => <NameText name={name} /> },
  { id: 'plan', header: texts.plan, wideOnly: true, cell: ({ plan }) => plan },
  {
    id: 'role',
    header: texts.yourRole,
    cell: ({ role }) => ROLES.find(({ value }) => value === role)?.label,
  },
  {
    id: 'created',
    header: texts.created,
    align: 'right',
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
];

export function TeamsPage() {
  const search = useListSearch();
  const query = useQuery(teamsQuery(search.page));
  return (
    <>
      <NamedListPage
        title={texts.teams}
        noun={texts.teamNoun}
        query={query}
        search={search}
        columns={COLUMNS}
        mayCreate={useMay()('teams:write')}
        mayChange={({ role }) => role === 'admin' || role === 'owner'}
        purpose={texts.purpose}
        deleteWarning={texts.deleteWarning}
        onCreate={(name) => answer(createTeam({ body: { name } }))}
        onRename={(id, name) => answer(renameTeam({ path: { id }, body: { name } }))}
        onDelete={(id, cancel) =>
          answer(deleteTeam({ path: { id }, query: { cancel: cancel ? 'true' : 'false' } }))
        }
      />
      {!query.isPending && <ReceivedInvitations />}
    </>
  );
}
