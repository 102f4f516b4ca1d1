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
import { texts } from '../../../texts/en/settings-projects.ts';
import { type Column, Id, NameText, Time, useListSearch } from '../../../ui/index.ts';
import { NamedListPage } from '../named-list-page.tsx';

const COLUMNS: readonly Column<ProjectView>[] = [
  { id: 'name', header: texts.name, cell: ({ name }) => <NameText name={name} /> },
  { id: 'id', header: texts.id, cell: ({ id, name }) => <Id value={id} of={name} /> },
  {
    id: 'created',
    header: texts.created,
    align: 'right',
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
];

export function ProjectsPage() {
  const mayChange = useMay()('projects:write');
  return (
    <NamedListPage
      title={texts.projects}
      noun={texts.projectNoun}
      query={useQuery(projectsQuery)}
      search={useListSearch()}
      columns={COLUMNS}
      mayCreate={mayChange}
      mayChange={() => mayChange}
      purpose={texts.purpose}
      deleteWarning={texts.deleteWarning}
      onCreate={(name) => answer(createProject({ body: { name } }))}
      onRename={(id, name) => answer(changeProject({ path: { id }, body: { name } }))}
      onDelete={(id, cancel) =>
        answer(deleteProject({ path: { id }, query: { cancel: cancel ? 'true' : 'false' } }))
      }
    />
  );
}
