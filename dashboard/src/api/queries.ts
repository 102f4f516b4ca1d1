import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { SERVICE_URL } from '../base-path.ts';
import { ApiError } from './api-error.ts';
import {
  answer,
  type ExecutionEventsView,
  compareExecutions,
  explainExplain,
  getServerVersion,
  listAudit,
  type ListAuditData,
  listExecutionNodes,
  listExecutions,
  type ListExecutionsData,
  listInvitations,
  listKeys,
  type ListKeysData,
  listMembers,
  type ListMembersData,
  listNodeTypes,
  listProjects,
  listHookDeliveries,
  type ListHookDeliveriesData,
  listHooks,
  type ListHooksData,
  listScheduleBackfills,
  listScheduleFires,
  type ListScheduleFiresData,
  listSavedViews,
  type ListSavedViewsData,
  listSchedules,
  type ListSchedulesData,
  listSecrets,
  type ListSecretsData,
  listSessionExecutions,
  listSessions,
  type ListSessionsData,
  listSignIns,
  listTeams,
  type ListTeamsData,
  listWebhookDeliveries,
  type ListWebhookDeliveriesData,
  listWebhooks,
  type ListWebhooksData,
  listWorkflows,
  type ListWorkflowsData,
  readExecution,
  readEventPayload,
  readExecutionEvents,
  readBulkJob,
  readExecutionStats,
  readFailures,
  type ReadFailuresData,
  readLatestRuns,
  listReceivedInvitations,
  readApproval,
  readInvitation,
  readMe,
  previewSchedule,
  readHook,
  readRateLimit,
  readSchedule,
  readSession,
  readSetUp,
  getWebhookDelivery,
  readWebhook,
  searchEverything,
  type SearchEverythingData,
  readSystem,
  readWorkflow,
  readWorkflowVersion,
  listUpcomingInstants,
  taggedAnswer,
} from './client.ts';

/**
 * Query keys start with the plural name of their API resource, such as `workflows`. Invalidating this prefix
 * invalidates all queries of the resource.
 */
export const setUpQuery = queryOptions({
  queryKey: ['set-up'],
  queryFn: ({ signal }) => answer(readSetUp({ signal })),
});

export const versionQuery = queryOptions({
  queryKey: ['version'],
  staleTime: Infinity,
  queryFn: ({ signal }) => answer(getServerVersion({ signal })),
});

/** Query for the named schemas of the service's OpenAPI document. */
export const apiSchemasQuery = queryOptions({
  queryKey: ['api-schemas'],
  staleTime: Infinity,
  queryFn: async ({ signal }): Promise<Readonly<Record<string, unknown>>> => {
    const response = await fetch(`${SERVICE_URL}/openapi.json`, { signal });
    const document = (await response.json()) as {
      readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
    };
    return document.components.schemas;
  },
});

export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => answer(readSystem({ signal })),
});

export const projectsQuery = queryOptions({
  queryKey: ['projects', 'list'],
  staleTime: 60_000,
  queryFn: ({ signal }) => answer(listProjects({ signal, query: { limit: 100 } })),
});

export const nodeTypesQuery = queryOptions({
  queryKey: ['node-types'],
  staleTime: Infinity,
  queryFn: ({ signal }) => answer(listNodeTypes({ signal, query: { limit: 100 } })),
});

export const workflowsQuery = (query: ListWorkflowsData['query']) =>
  queryOptions({
    queryKey: ['workflows', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(listWorkflows({ signal, query })),
  });

export const searchQuery = (query: SearchEverythingData['query']) =>
  queryOptions({
    queryKey: ['search', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(searchEverything({ signal, query })),
  });

export const workflowQuery = (id: string) =>
  queryOptions({
    queryKey: ['workflows', 'one', id],
    queryFn: ({ signal }) => answer(readWorkflow({ signal, path: { id } })),
  });

export const executionsQuery = (query: ListExecutionsData['query']) =>
  queryOptions({
    queryKey: ['executions', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(listExecutions({ signal, query })),
  });

export const comparisonQuery = (chosen: { readonly base: string; readonly other: string } | null) =>
  queryOptions({
    queryKey: ['executions', 'comparison', chosen],
    enabled: chosen !== null,
    queryFn: ({ signal }) =>
      answer(
        compareExecutions({
          signal,
          path: { id: chosen?.base ?? '' },
          query: { with: chosen?.other ?? '' },
        }),
      ),
  });

export const failuresQuery = (query: ReadFailuresData['query']) =>
  queryOptions({
    queryKey: ['executions', 'failures', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(readFailures({ signal, query })),
  });

/** Interval between reads of the progress of a bulk job, in milliseconds. */
const PROGRESS_MS = 500;

export const bulkJobQuery = (id: string) =>
  queryOptions({
    queryKey: ['bulk-jobs', id],
    queryFn: ({ signal }) => answer(readBulkJob({ signal, path: { id } })),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.status === 'running' ? PROGRESS_MS : false,
  });

export const statsQuery = (projectId: string | undefined) =>
  queryOptions({
    queryKey: ['executions', 'stats', projectId],
    queryFn: ({ signal }) =>
      answer(readExecutionStats({ signal, query: { window: '24h', project_id: projectId } })),
  });

export const latestRunsQuery = (workflowIds: readonly string[]) =>
  queryOptions({
    queryKey: ['executions', 'latest', workflowIds],
    enabled: workflowIds.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { data } = await answer(readLatestRuns({ signal, query: { workflow_id: [...workflowIds] } }));
      return new Map(data.map((runs) => [runs.workflow_id, runs]));
    },
  });

export const executionQuery = (id: string) =>
  queryOptions({
    queryKey: ['executions', 'one', id],
    queryFn: ({ signal }) => answer(readExecution({ signal, path: { id } })),
  });

/**
 * Query for the input of an execution, if the input is too long for the regular response. The result wraps
 * the input in an object, because the input may be null.
 */
export const longInputQuery = (id: string) =>
  queryOptions({
    queryKey: ['executions', 'input', id],
    staleTime: Infinity,
    queryFn: async ({ signal }) => ({
      value: await answer(readEventPayload({ signal, path: { id, sequence: 1, field: 'input' } })),
    }),
  });

/**
 * Query for the saved views of a list, at most 100. A user who already sees 100 saved views of a list cannot create
 * another.
 */
export const savedViewsQuery = (page: NonNullable<ListSavedViewsData['query']>['page']) =>
  queryOptions({
    queryKey: ['saved-views', page],
    queryFn: ({ signal }) => answer(listSavedViews({ signal, query: { page, limit: 100, order: 'asc' } })),
  });

export const executionNodesQuery = (id: string) =>
  queryOptions({
    queryKey: ['executions', 'nodes', id],
    queryFn: ({ signal }) => answer(listExecutionNodes({ signal, path: { id }, query: { limit: 100 } })),
  });

/**
 * Query for the explanation why an execution does not continue.
 * @param sequence sequence number of the latest event of the execution; each new number causes another
 * request
 */
export const explanationQuery = (id: string, sequence: number) =>
  queryOptions({
    queryKey: ['executions', 'explanation', id, sequence],
    queryFn: ({ signal }) => answer(explainExplain({ signal, path: { id } })),
  });

/**
 * Query for an execution by id, in the form of a list of executions. The list is empty if the id is unknown.
 * If the id is null, no request is sent.
 */
export const oneRunQuery = (id: string | null) =>
  queryOptions({
    queryKey: ['executions', 'list', 'one', id],
    enabled: id !== null,
    queryFn: async ({ signal }) => {
      const found = await runOf(id ?? '', signal);
      const pagination = { total: found.length, limit: 1, offset: 0, has_more: false };
      return { data: found, pagination };
    },
  });

async function runOf(id: string, signal: AbortSignal) {
  try {
    return [await answer(readExecution({ signal, path: { id } }))];
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

export const JOURNAL_PAGE = 100;

export const readJournalPage = async (id: string, after: number) => {
  const page: ExecutionEventsView | void = await answer(
    readExecutionEvents({ path: { id }, query: { after, limit: JOURNAL_PAGE } }),
  );
  // The page is never undefined, because only event streams have responses without a body. The empty list
  // only satisfies the generated type.
  return page?.data ?? [];
};

export const workflowVersionQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['workflows', 'version', id, version],
    // Workflow versions are immutable, so a cached version never becomes stale.
    staleTime: Infinity,
    queryFn: ({ signal }) => answer(readWorkflowVersion({ signal, path: { id, version } })),
  });

export const sessionsQuery = (query: ListSessionsData['query']) =>
  queryOptions({
    queryKey: ['sessions', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(listSessions({ signal, query })),
  });

export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ['sessions', 'one', id],
    queryFn: ({ signal }) => answer(readSession({ signal, path: { id } })),
  });

export const schedulesQuery = (query: ListSchedulesData['query']) =>
  queryOptions({
    queryKey: ['schedules', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(listSchedules({ signal, query })),
  });

/**
 * Query for a schedule and its ETag. Changes send the ETag in `If-Match`, so that the service detects concurrent
 * changes.
 */
export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', 'one', id],
    queryFn: async ({ signal }) => {
      const { data: schedule, etag } = await taggedAnswer(readSchedule({ signal, path: { id } }));
      return { schedule, etag };
    },
  });

export const firesQuery = (id: string, query: ListScheduleFiresData['query']) =>
  queryOptions({
    queryKey: ['schedules', 'fires', id, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(listScheduleFires({ signal, path: { id }, query })),
  });

export const backfillsQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedules', 'backfills', id],
    queryFn: ({ signal }) => answer(listScheduleBackfills({ signal, path: { id } })),
  });

export const hooksQuery = (query: ListHooksData['query']) =>
  queryOptions({
    queryKey: ['hooks', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(listHooks({ signal, query })),
  });

/**
 * Query for a hook and its ETag. Changes send the ETag in `If-Match`, so that the service detects concurrent changes.
 */
export const hookQuery = (id: string) =>
  queryOptions({
    queryKey: ['hooks', 'one', id],
    queryFn: async ({ signal }) => {
      const { data: hook, etag } = await taggedAnswer(readHook({ signal, path: { id } }));
      return { hook, etag };
    },
  });

export const hookDeliveriesQuery = (id: string, query: ListHookDeliveriesData['query']) =>
  queryOptions({
    queryKey: ['hooks', 'deliveries', id, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(listHookDeliveries({ signal, path: { id }, query })),
  });

export const upcomingQuery = (id: string, count: number) =>
  queryOptions({
    queryKey: ['schedules', 'upcoming', id, count],
    queryFn: ({ signal }) => answer(listUpcomingInstants({ signal, path: { id }, query: { count } })),
  });

/**
 * Query for the next times of a cron expression. The query is not retried, because an invalid expression stays invalid.
 */
export const cronPreviewQuery = (cron: string, timeZone: string, count: number) =>
  queryOptions({
    queryKey: ['schedules', 'preview', cron, timeZone, count],
    retry: false,
    queryFn: ({ signal }) => answer(previewSchedule({ signal, body: { cron, time_zone: timeZone, count } })),
  });

export const secretsQuery = (query: ListSecretsData['query']) =>
  queryOptions({
    queryKey: ['secrets', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(listSecrets({ signal, query })),
  });

/** Maximum number of secret names that the workflow builder loads for completion. */
const MAX_SECRET_NAMES = 1_000;

/**
 * Query for the names of a project's secrets, in alphabetical order.
 * @param projectId undefined for all projects of the team
 */
export const secretNamesQuery = (projectId: string | undefined) =>
  queryOptions({
    queryKey: ['secrets', 'names', projectId],
    queryFn: async ({ signal }) => {
      const names = new Set<string>();
      let offset = 0;
      let hasMore = true;
      while (hasMore && offset < MAX_SECRET_NAMES) {
        const query = { project_id: projectId, limit: 100, offset };
        const { data, pagination } = await answer(listSecrets({ signal, query }));
        for (const { name } of data) names.add(name);
        offset += data.length;
        hasMore = pagination.has_more;
      }
      return [...names].sort();
    },
  });

export const webhooksQuery = (query: ListWebhooksData['query']) =>
  queryOptions({
    queryKey: ['webhooks', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(listWebhooks({ signal, query })),
  });

/**
 * Query for a webhook and its ETag. Changes send the ETag in `If-Match`, so that the service detects concurrent
 * changes.
 */
export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: async ({ signal }) => {
      const { data: webhook, etag } = await taggedAnswer(readWebhook({ signal, path: { id } }));
      return { webhook, etag };
    },
  });

export const webhookDeliveriesQuery = (id: string, query: ListWebhookDeliveriesData['query']) =>
  queryOptions({
    queryKey: ['webhooks', 'deliveries', id, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(listWebhookDeliveries({ signal, path: { id }, query })),
  });

export const deliveryQuery = (webhookId: string, id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'delivery', webhookId, id],
    queryFn: ({ signal }) => answer(getWebhookDelivery({ signal, path: { id: webhookId, delivery_id: id } })),
  });

export const keysQuery = (query: ListKeysData['query']) =>
  queryOptions({
    queryKey: ['keys', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(listKeys({ signal, query })),
  });

export const auditQuery = (query: ListAuditData['query']) =>
  queryOptions({
    queryKey: ['audit', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(listAudit({ signal, query })),
  });

export const teamsQuery = (query: ListTeamsData['query']) =>
  queryOptions({
    queryKey: ['teams', 'list', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(listTeams({ signal, query })),
  });

export const membersQuery = (teamId: string, query: ListMembersData['query']) =>
  queryOptions({
    queryKey: ['members', 'list', teamId, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => answer(listMembers({ signal, path: { id: teamId }, query })),
  });

export const rateLimitQuery = queryOptions({
  queryKey: ['rate-limit'],
  queryFn: ({ signal }) => answer(readRateLimit({ signal })),
});

export const invitationsQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['invitations', 'list', teamId],
    queryFn: ({ signal }) => answer(listInvitations({ signal, path: { id: teamId }, query: { limit: 100 } })),
  });

/** Query for the approval that the token of an approval link identifies. */
export const approvalQuery = (token: string) =>
  queryOptions({
    queryKey: ['approval', token],
    queryFn: ({ signal }) => answer(readApproval({ signal, path: { token } })),
  });

/**
 * Query for the invitation that the token of an invitation link identifies. The token is sent in the request body,
 * because servers log URLs.
 */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    retry: false,
    gcTime: 0,
    queryFn: ({ signal }) => answer(readInvitation({ signal, body: { token } })),
  });

export const receivedInvitationsQuery = queryOptions({
  queryKey: ['received-invitations'],
  queryFn: ({ signal }) => answer(listReceivedInvitations({ signal, query: { limit: 100 } })),
});

export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: ({ signal }) => answer(listSignIns({ signal, query: { limit: 100 } })),
});

export const meQuery = queryOptions({
  queryKey: ['users', 'me'],
  queryFn: ({ signal }) => answer(readMe({ signal })),
});

export const sessionExecutionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['executions', 'of-session', id],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      answer(listSessionExecutions({ signal, path: { id }, query: { limit: 100, order: 'desc' } })),
  });
