import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { queryClient, signInQuery } from './api/index.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { Shell } from './shell/shell.tsx';
import { NotFoundPage } from './pages/not-found/not-found-page.tsx';
import { formatUrlSearch, parseUrlSearch, SkeletonRows, type UrlSearch } from './ui/index.ts';

const root = createRootRoute({
  component: Outlet,
  validateSearch: (search: UrlSearch): UrlSearch => search,
});

/** Pages before the sign-in. */
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('./pages/set-up/set-up-page.tsx'), 'SetUpPage'),
});
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyRouteComponent(() => import('./pages/login/login-page.tsx'), 'LoginPage'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/invitation/invitation-page.tsx'), 'InvitationPage'),
});

/** Everything else is for who is signed in. */
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
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
});
const workflows = createRoute({
  getParentRoute: () => inside,
  path: '/workflows',
  component: lazyRouteComponent(() => import('./pages/workflows/workflows-page.tsx'), 'WorkflowsPage'),
});
const workflow = createRoute({
  getParentRoute: () => inside,
  path: '/workflows/$id',
  component: lazyRouteComponent(() => import('./pages/workflow/workflow-page.tsx'), 'WorkflowPage'),
});
const executions = createRoute({
  getParentRoute: () => inside,
  path: '/executions',
  component: lazyRouteComponent(() => import('./pages/executions/executions-page.tsx'), 'ExecutionsPage'),
});
const execution = createRoute({
  getParentRoute: () => inside,
  path: '/executions/$id',
  component: lazyRouteComponent(() => import('./pages/execution/execution-page.tsx'), 'ExecutionPage'),
});
const sessions = createRoute({
  getParentRoute: () => inside,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./pages/sessions/sessions-page.tsx'), 'SessionsPage'),
});
const session = createRoute({
  getParentRoute: () => inside,
  path: '/sessions/$id',
  component: lazyRouteComponent(() => import('./pages/session/session-page.tsx'), 'SessionPage'),
});
const events = createRoute({
  getParentRoute: () => inside,
  path: '/events',
  component: lazyRouteComponent(() => import('./pages/events/events-page.tsx'), 'EventsPage'),
});
const nodeTypes = createRoute({
  getParentRoute: () => inside,
  path: '/node-types',
  component: lazyRouteComponent(() => import('./pages/node-types/node-types-page.tsx'), 'NodeTypesPage'),
});
const profile = createRoute({
  getParentRoute: () => inside,
  path: '/settings/profile',
  component: lazyRouteComponent(() => import('./pages/settings/profile/profile-page.tsx'), 'ProfilePage'),
});
const apiKeys = createRoute({
  getParentRoute: () => inside,
  path: '/settings/api-keys',
  component: lazyRouteComponent(() => import('./pages/settings/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
});
const members = createRoute({
  getParentRoute: () => inside,
  path: '/settings/members',
  component: lazyRouteComponent(() => import('./pages/settings/members/members-page.tsx'), 'MembersPage'),
});
const teams = createRoute({
  getParentRoute: () => inside,
  path: '/settings/teams',
  component: lazyRouteComponent(() => import('./pages/settings/teams/teams-page.tsx'), 'TeamsPage'),
});
const projects = createRoute({
  getParentRoute: () => inside,
  path: '/settings/projects',
  component: lazyRouteComponent(() => import('./pages/settings/projects/projects-page.tsx'), 'ProjectsPage'),
});
const rateLimits = createRoute({
  getParentRoute: () => inside,
  path: '/settings/rate-limits',
  component: lazyRouteComponent(
    () => import('./pages/settings/rate-limits/rate-limits-page.tsx'),
    'RateLimitsPage',
  ),
});
const webhooks = createRoute({
  getParentRoute: () => inside,
  path: '/settings/webhooks',
  component: lazyRouteComponent(() => import('./pages/settings/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});
const secrets = createRoute({
  getParentRoute: () => inside,
  path: '/settings/secrets',
  component: lazyRouteComponent(() => import('./pages/settings/secrets/secrets-page.tsx'), 'SecretsPage'),
});
const auditLog = createRoute({
  getParentRoute: () => inside,
  path: '/settings/audit-log',
  component: lazyRouteComponent(
    () => import('./pages/settings/audit-log/audit-log-page.tsx'),
    'AuditLogPage',
  ),
});
const about = createRoute({
  getParentRoute: () => inside,
  path: '/settings/about',
  component: lazyRouteComponent(() => import('./pages/settings/about/about-page.tsx'), 'AboutPage'),
});

export const router = createRouter({
  basepath: '/dashboard',
  routeTree: root.addChildren([
    setUp,
    login,
    invitation,
    inside.addChildren([
      overview,
      workflows,
      workflow,
      executions,
      execution,
      sessions,
      session,
      events,
      nodeTypes,
      profile,
      apiKeys,
      members,
      teams,
      projects,
      rateLimits,
      webhooks,
      secrets,
      auditLog,
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

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
