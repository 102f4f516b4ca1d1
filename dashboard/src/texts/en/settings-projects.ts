export const texts = {
  name: 'Name',
  id: 'ID',
  created: 'Created',
  projects: 'Projects',
  projectNoun: ['project', 'projects'] satisfies readonly [string, string],
  purpose:
    'A project holds workflows, sessions, schedules, and secrets. An API key can be limited to one project.',
  deleteWarning: 'Everything in the project becomes inaccessible. This cannot be undone.',
};
