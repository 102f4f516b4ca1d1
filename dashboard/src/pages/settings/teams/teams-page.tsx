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
import { type Column, NameText, Time, useListSearch } from '../../../ui/index.ts';
import { ROLES } from '../members/roles.ts';
import { NamedListPage } from '../named-list-page.tsx';
import { ReceivedInvitations } from './received-invitations.tsx';

const COLUMNS: readonly Column<TeamView>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <NameText name={name} /> },
  { id: 'plan', header: 'Plan', cell: ({ plan }) => plan },
  { id: 'role', header: 'Your role', cell: ({ role }) => ROLES.find(({ value }) => value === role)?.label },
  {
    id: 'created',
    header: 'Created',
    align: 'right',
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
];

export function TeamsPage() {
  const search = useListSearch();
  return (
    <>
      <NamedListPage
        title="Teams"
        noun={['team', 'teams']}
        query={useQuery(teamsQuery(search.page))}
        search={search}
        columns={COLUMNS}
        mayCreate={useMay()('teams:write')}
        mayChange={({ role }) => role === 'admin' || role === 'owner'}
        purpose="A team has its own members, projects, keys and limits. Look at another one with the switch of the side bar."
        deleteWarning="Its projects, keys and members go with it. This cannot be taken back."
        onCreate={(name) => answer(createTeam({ body: { name } }))}
        onRename={(id, name) => answer(renameTeam({ path: { id }, body: { name } }))}
        onDelete={(id, cancel) =>
          answer(deleteTeam({ path: { id }, query: { cancel: cancel ? 'true' : 'false' } }))
        }
      />
      <ReceivedInvitations />
    </>
  );
}
