import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { loadChunk, queryClient, signInQuery } from './api/index.ts';
import { DASHBOARD_PATH } from './base-path.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { ServiceBar } from './shell/service-bar.tsx';
import { Shell } from './shell/shell.tsx';
import { NotFoundPage } from './pages/not-found/not-found-page.tsx';
import { formatUrlSearch, parseUrlSearch, SkeletonRows, type UrlSearch } from './ui/index.ts';

const root = createRootRoute({
  component: Root,
  validateSearch: (search: UrlSearch): UrlSearch => search,
});

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: page(() => import('./pages/set-up/set-up-page.tsx'), 'SetUpPage'),
});
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: page(() => import('./pages/login/login-page.tsx'), 'LoginPage'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: page(() => import('./pages/invitation/invitation-page.tsx'), 'InvitationPage'),
});

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: async ({ location }) => {
    const signIn = await queryClient.query({ ...signInQuery, staleTime: 'static' });
    if (signIn === null)
      throw redirect({ to: '/login', search: { next: `${location.pathname}${location.searchStr}` } });
  },
});

const overview = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: page(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
});
const workflows = createRoute({
  getParentRoute: () => inside,
  path: '/workflows',
  component: page(() => import('./pages/workflows/workflows-page.tsx'), 'WorkflowsPage'),
});
const workflow = createRoute({
  getParentRoute: () => inside,
  path: '/workflows/$id',
  component: page(() => import('./pages/workflow/workflow-page.tsx'), 'WorkflowPage'),
});
const newWorkflow = createRoute({
  getParentRoute: () => inside,
  path: '/workflows/new',
  component: page(() => import('./pages/workflow/builder/builder-page.tsx'), 'NewWorkflowPage'),
});
const workflowBuilder = createRoute({
  getParentRoute: () => inside,
  path: '/workflows/$id/edit',
  component: page(() => import('./pages/workflow/builder/builder-page.tsx'), 'BuilderPage'),
});
const executions = createRoute({
  getParentRoute: () => inside,
  path: '/executions',
  component: page(() => import('./pages/executions/executions-page.tsx'), 'ExecutionsPage'),
});
const comparison = createRoute({
  getParentRoute: () => inside,
  path: '/executions/compare',
  component: page(() => import('./pages/comparison/comparison-page.tsx'), 'ComparisonPage'),
});
const failures = createRoute({
  getParentRoute: () => inside,
  path: '/failures',
  component: page(() => import('./pages/failures/failures-page.tsx'), 'FailuresPage'),
});
const execution = createRoute({
  getParentRoute: () => inside,
  path: '/executions/$id',
  component: page(() => import('./pages/execution/execution-page.tsx'), 'ExecutionPage'),
});
const sessions = createRoute({
  getParentRoute: () => inside,
  path: '/sessions',
  component: page(() => import('./pages/sessions/sessions-page.tsx'), 'SessionsPage'),
});
const session = createRoute({
  getParentRoute: () => inside,
  path: '/sessions/$id',
  component: page(() => import('./pages/session/session-page.tsx'), 'SessionPage'),
});
const schedules = createRoute({
  getParentRoute: () => inside,
  path: '/schedules',
  component: page(() => import('./pages/schedules/schedules-page.tsx'), 'SchedulesPage'),
});
const schedule = createRoute({
  getParentRoute: () => inside,
  path: '/schedules/$id',
  component: page(() => import('./pages/schedules/schedule-page.tsx'), 'SchedulePage'),
});
const hooks = createRoute({
  getParentRoute: () => inside,
  path: '/hooks',
  component: page(() => import('./pages/hooks/hooks-page.tsx'), 'HooksPage'),
});
const hook = createRoute({
  getParentRoute: () => inside,
  path: '/hooks/$id',
  component: page(() => import('./pages/hooks/hook-page.tsx'), 'HookPage'),
});
const events = createRoute({
  getParentRoute: () => inside,
  path: '/events',
  component: page(() => import('./pages/events/events-page.tsx'), 'EventsPage'),
});
const approval = createRoute({
  getParentRoute: () => inside,
  path: '/approvals/$token',
  component: lazyRouteComponent(() => import('./pages/approval/approval-page.tsx'), 'ApprovalPage'),
});
const nodeTypes = createRoute({
  getParentRoute: () => inside,
  path: '/node-types',
  component: page(() => import('./pages/node-types/node-types-page.tsx'), 'NodeTypesPage'),
});
const profile = createRoute({
  getParentRoute: () => inside,
  path: '/settings/profile',
  component: page(() => import('./pages/settings/profile/profile-page.tsx'), 'ProfilePage'),
});
const apiKeys = createRoute({
  getParentRoute: () => inside,
  path: '/settings/api-keys',
  component: page(() => import('./pages/settings/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
});
const members = createRoute({
  getParentRoute: () => inside,
  path: '/settings/members',
  component: page(() => import('./pages/settings/members/members-page.tsx'), 'MembersPage'),
});
const teams = createRoute({
  getParentRoute: () => inside,
  path: '/settings/teams',
  component: page(() => import('./pages/settings/teams/teams-page.tsx'), 'TeamsPage'),
});
const projects = createRoute({
  getParentRoute: () => inside,
  path: '/settings/projects',
  component: page(() => import('./pages/settings/projects/projects-page.tsx'), 'ProjectsPage'),
});
const rateLimits = createRoute({
  getParentRoute: () => inside,
  path: '/settings/rate-limits',
  component: page(() => import('./pages/settings/rate-limits/rate-limits-page.tsx'), 'RateLimitsPage'),
});
const webhooks = createRoute({
  getParentRoute: () => inside,
  path: '/settings/webhooks',
  component: page(() => import('./pages/settings/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});
const webhook = createRoute({
  getParentRoute: () => inside,
  path: '/settings/webhooks/$id',
  component: page(() => import('./pages/settings/webhooks/webhook-page.tsx'), 'WebhookPage'),
});
const secrets = createRoute({
  getParentRoute: () => inside,
  path: '/settings/secrets',
  component: page(() => import('./pages/settings/secrets/secrets-page.tsx'), 'SecretsPage'),
});
const auditLog = createRoute({
  getParentRoute: () => inside,
  path: '/settings/audit-log',
  component: page(() => import('./pages/settings/audit-log/audit-log-page.tsx'), 'AuditLogPage'),
});
const operations = createRoute({
  getParentRoute: () => inside,
  path: '/settings/operations',
  component: page(() => import('./pages/settings/operations/operations-page.tsx'), 'OperationsPage'),
});
const about = createRoute({
  getParentRoute: () => inside,
  path: '/settings/about',
  component: page(() => import('./pages/settings/about/about-page.tsx'), 'AboutPage'),
});

export const router = createRouter({
  basepath: DASHBOARD_PATH,
  routeTree: root.addChildren([
    setUp,
    login,
    invitation,
    inside.addChildren([
      overview,
      workflows,
      workflow,
      newWorkflow,
      workflowBuilder,
      executions,
      comparison,
      failures,
      execution,
      sessions,
      session,
      schedules,
      schedule,
      hooks,
      hook,
      events,
      approval,
      nodeTypes,
      profile,
      apiKeys,
      members,
      teams,
      projects,
      rateLimits,
      webhooks,
      webhook,
      secrets,
      auditLog,
      operations,
      about,
    ]),
  ]),
  parseSearch: parseUrlSearch,
  stringifySearch: formatUrlSearch,
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: ErrorPage,
  defaultPendingComponent: SkeletonRows,
  scrollRestoration: true,
});

/** Loads the code of all pages, so that they open even during an outage. */
export async function preloadPages(): Promise<void> {
  for (const { options } of Object.values(router.routesById)) await preloadOf(options.component)?.();
}

function preloadOf(component: unknown): (() => Promise<unknown>) | undefined {
  return typeof component === 'function' && 'preload' in component && typeof component.preload === 'function'
    ? (component.preload as () => Promise<unknown>)
    : undefined;
}

function page<M extends Readonly<Record<string, unknown>>, K extends keyof M & string>(
  load: () => Promise<M>,
  name: K,
) {
  return lazyRouteComponent(() => loadChunk(load), name);
}

function Root() {
  return (
    <>
      <ServiceBar />
      <Outlet />
    </>
  );
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
