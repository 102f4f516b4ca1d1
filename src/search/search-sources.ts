import { Injectable } from '@nestjs/common';
import { allows, type Principal, type Scope } from '../access/index.js';
import { matchOf, termsOf } from '../execution-search/index.js';
import type { Execution } from '../execution-store/index.js';
import { LongValue } from '../long-values/index.js';
import type { Json } from '../expressions/index.js';
import { ExecutionsReader } from '../executions/index.js';
import { HooksService } from '../hooks/index.js';
import { KeyAdministration } from '../keys/index.js';
import type { IdPlace } from '../pages/index.js';
import { SchedulesService } from '../schedules/index.js';
import { SecretsService } from '../secrets/index.js';
import { SessionsService } from '../sessions/index.js';
import { WebhooksService } from '../webhooks/index.js';
import { WorkflowsService } from '../workflows/index.js';
import { defined } from '../platform/index.js';
import type { FoundOfKind, SearchKind, SearchResult } from './search-result.js';

export interface SearchRequest {
  readonly text: string;
  readonly projectId?: string;
  readonly limit: number;
}

export interface SearchSource {
  readonly scope: Scope;
  readonly find: (principal: Principal, request: SearchRequest) => Promise<FoundOfKind>;
}

interface Listed {
  readonly id: string;
  readonly projectId: string | null;
  readonly createdAt: string;
}

interface ListFilter {
  readonly q: string;
  readonly projectId?: string;
}

/** Searches each kind of resource through the service of that kind, because the service checks access. */
@Injectable()
export class SearchSources {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly executions: ExecutionsReader,
    private readonly sessions: SessionsService,
    private readonly schedules: SchedulesService,
    private readonly hooks: HooksService,
    private readonly webhooks: WebhooksService,
    private readonly secrets: SecretsService,
    private readonly keys: KeyAdministration,
  ) {}

  readonly byKind: Readonly<Record<SearchKind, SearchSource>> = {
    workflow: {
      scope: 'workflows:read',
      find: listed('workflow', (...given) => this.workflows.list(...given), {
        titleOf: ({ name }) => name,
        statusOf: ({ status }) => status,
      }),
    },
    execution: {
      scope: 'executions:read',
      find: (principal, request) => this.foundExecutions(principal, request),
    },
    session: {
      scope: 'sessions:read',
      find: listed('session', (...given) => this.sessions.list(...given), {
        titleOf: ({ name, externalId, id }) => [name, externalId ?? ''].find((text) => text !== '') ?? id,
      }),
    },
    schedule: {
      scope: 'schedules:read',
      find: listed('schedule', (...given) => this.schedules.list(...given), {
        titleOf: ({ name }) => name,
        statusOf: ({ status }) => status,
      }),
    },
    hook: {
      scope: 'hooks:read',
      find: listed('hook', (...given) => this.hooks.list(...given), {
        titleOf: ({ name }) => name,
        statusOf: ({ status }) => status,
      }),
    },
    webhook: {
      scope: 'webhooks:read',
      find: listed('webhook', (...given) => this.webhooks.list(...given), {
        titleOf: ({ url, description }) => (description === '' ? url : description),
        statusOf: ({ status }) => status,
      }),
    },
    secret: {
      scope: 'secrets:read',
      find: listed('secret', (...given) => this.secrets.list(...given), { titleOf: ({ name }) => name }),
    },
    key: {
      scope: 'keys:read',
      find: listed('key', (...given) => this.keys.list(...given), { titleOf: ({ name }) => name }),
    },
  };

  private async foundExecutions(
    principal: Principal,
    { text, projectId, limit }: SearchRequest,
  ): Promise<FoundOfKind> {
    const { items, isCut, unsearched } = await this.executions.search(principal, text, projectId, limit + 1);
    const shown = items.slice(0, limit);
    const names = await this.workflowNames(principal, shown);
    const terms = termsOf(text);
    const results = shown.map((execution): SearchResult => {
      const { type, message, node_id } = execution.progress.error ?? {};
      const error = type === undefined ? null : { type, message: message ?? '', node_id: node_id ?? null };
      return {
        kind: 'execution',
        id: execution.id,
        title: names.get(execution.workflowId) ?? execution.id,
        status: execution.progress.status,
        projectId: execution.projectId,
        match: matchOf({ ...execution, error, input: shownInput(execution) }, terms),
        createdAt: execution.createdAt,
      };
    });
    return { results, hasMore: isCut || items.length > limit, unsearched };
  }

  /**
   * Returns the names of the executions' workflows by workflow id. The map is empty if the caller may not read
   * workflows.
   */
  private async workflowNames(
    principal: Principal,
    executions: readonly Execution[],
  ): Promise<ReadonlyMap<string, string>> {
    if (!allows(principal, 'workflows:read')) return new Map();
    const ids = [...new Set(executions.map(({ workflowId }) => workflowId))];
    const named = await Promise.all(ids.map(async (id) => [id, await this.workflows.nameOf(id)] as const));
    return new Map(named.flatMap(([id, name]) => (name === undefined ? [] : [[id, name] as const])));
  }
}

/**
 * Returns the input of an execution, or null for an input over 16 KiB. Such a long value is stored separately and is
 * not searched.
 */
function shownInput({ input }: Execution): Json {
  return input instanceof LongValue ? null : input;
}

/** Creates a search source from the list method of a service and the text filter `q` of that method. */
function listed<Item extends Listed>(
  kind: SearchKind,
  list: (
    principal: Principal,
    filter: ListFilter,
    place: IdPlace,
  ) => Promise<{ readonly items: readonly Item[] }>,
  {
    titleOf,
    statusOf = () => null,
  }: { readonly titleOf: (item: Item) => string; readonly statusOf?: (item: Item) => string | null },
): SearchSource['find'] {
  return async (principal, { text, projectId, limit }) => {
    const filter = defined({ q: text, projectId });
    const place = { limit: limit + 1, offset: 0, order: 'desc' } as const;
    const { items } = await list(principal, filter, place);
    const results = items.slice(0, limit).map((item): SearchResult => {
      const { id, projectId: project, createdAt } = item;
      const title = titleOf(item);
      const isById = id.startsWith(text.toLowerCase()) || id.slice(-8).startsWith(text.toLowerCase());
      const match = isById ? ({ field: 'id', text: id } as const) : ({ field: 'name', text: title } as const);
      return { kind, id, title, status: statusOf(item), projectId: project, match, createdAt };
    });
    return { results, hasMore: items.length > limit };
  };
}
