/** Lists the pages of the docs site in the order of the navigation. */

/** A page of the docs site: its path without the file extension, and its title. */
export type SitePage = readonly [path: string, title: string];

export interface SiteSection {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

/** Handwritten pages by section. A test fails if a page in `docs` is not listed. */
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

/** The generated page that lists all node types. */
export const NODE_TYPES: SitePage = ['node-types/index', 'All node types'];
export const API: SitePage = ['api/index', 'Using the API'];
export const ROUTES: SitePage = ['routes', 'All routes'];
export const DECISIONS: SitePage = ['adr/README', 'Decisions'];
