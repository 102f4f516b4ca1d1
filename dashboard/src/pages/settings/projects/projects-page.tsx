import { useQuery } from '@tanstack/react-query';
import {
  answer,
  changeProject,
  createProject,
  deleteProject,
  projectsQuery,
  type ProjectView,
  useMay,
} from '../../../api/index.ts';
import { type Column, Id, NameText, Time, useListSearch } from '../../../ui/index.ts';
import { NamedListPage } from '../named-list-page.tsx';

const COLUMNS: readonly Column<ProjectView>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <NameText name={name} /> },
  { id: 'id', header: 'Id', cell: ({ id, name }) => <Id value={id} of={name} /> },
  {
    id: 'created',
    header: 'Created',
    align: 'right',
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
];

export function ProjectsPage() {
  const mayChange = useMay()('projects:write');
  return (
    <NamedListPage
      title="Projects"
      noun={['project', 'projects']}
      query={useQuery(projectsQuery)}
      search={useListSearch()}
      columns={COLUMNS}
      mayCreate={mayChange}
      mayChange={() => mayChange}
      purpose="A project holds workflows, sessions and secrets; a key can be bound to one."
      deleteWarning="What lies in the project can no longer be reached. This cannot be taken back."
      onCreate={(name) => answer(createProject({ body: { name } }))}
      onRename={(id, name) => answer(changeProject({ path: { id }, body: { name } }))}
      onDelete={(id, cancel) =>
        answer(deleteProject({ path: { id }, query: { cancel: cancel ? 'true' : 'false' } }))
      }
    />
  );
}
