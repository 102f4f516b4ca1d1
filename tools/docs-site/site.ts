/** Lists the pages of the docs site in the order of the navigation. */

/** Path of a page without its file extension, and title of the page. */
export type SitePage = readonly [path: string, title: string];

export interface SiteSection {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

/** Pages that are written by hand. A test fails if a page of `docs` is missing here. */
export const SECTIONS: readonly SiteSection[] = [
  {
    title: 'Start',
    pages: [
      ['getting-started', 'Five-minute tutorial'],
      ['concepts', 'Concepts'],
      ['comparison', 'How it compares'],
      ['examples', 'Examples'],
    ],
  },
  {
    title: 'Build workflows',
    pages: [
      ['expressions', 'Expressions'],
      ['foreach', 'Loops'],
      ['versions', 'Workflow versions'],
      ['executions', 'Executions'],
      ['search', 'Search'],
      ['control', 'Signals, approvals, children'],
      ['secrets', 'Secrets'],
      ['testing-workflows', 'Testing workflows'],
    ],
  },
  {
    title: 'Triggers and events',
    pages: [
      ['schedules', 'Schedules'],
      ['hooks', 'Hooks'],
      ['events', 'Live events'],
      ['webhooks', 'Webhooks'],
    ],
  },
  {
    title: 'Operate',
    pages: [
      ['deployment', 'Deployment'],
      ['settings', 'Settings'],
      ['operations', 'Operations'],
      ['metrics', 'Metrics'],
      ['tracing', 'Tracing'],
      ['reliability', 'Reliability'],
      ['cli', 'Command line'],
    ],
  },
  {
    title: 'Security',
    pages: [
      ['teams', 'Teams, members, projects'],
      ['security', 'Keys, sign-in, audit log'],
      ['ip-restrictions', 'IP restrictions'],
      ['token-exchange', 'Token exchange'],
      ['rate-limits', 'Plans and limits'],
    ],
  },
  {
    title: 'Extend',
    pages: [
      ['adding-a-node-type', 'Adding a node type'],
      ['adding-a-module', 'Adding a module'],
      ['glossary', 'Glossary'],
    ],
  },
];

/** The page that lists the node types. The build generates it. */
export const NODE_TYPES: SitePage = ['node-types/index', 'All node types'];
export const API: SitePage = ['api/index', 'Using the API'];
export const ROUTES: SitePage = ['routes', 'All routes'];
export const DECISIONS: SitePage = ['adr/README', 'Decisions'];
