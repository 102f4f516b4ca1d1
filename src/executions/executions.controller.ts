import { ReachableExecutions } from '../execution-store/index.js';
import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope, Viewable } from '../access/index.js';
import { KeyedRequests, TakesIdempotencyKey } from '../idempotency/index.js';
import { ApiAnswers, ApiPage, IdParam, LOCATION_HEADER } from '../http/index.js';
import { decodeCursor, idPlace, type Page, page } from '../pages/index.js';
import { defined } from '../platform/index.js';
import { SessionsService } from '../sessions/index.js';
import { WorkflowHeads } from '../workflows/index.js';
import {
  CancelExecutionBody,
  ListExecutionsQuery,
  ListNodeExecutionsQuery,
  NodeExecutionView,
  StartExecutionBody,
  StartExecutionQuery,
} from './execution.dto.js';
import { executionView, ExecutionView, locatedExecutionView } from './execution.view.js';
import { instant, listFilter, type ListOwner } from './execution-query.js';
import { ExecutionsReader } from './executions.reader.js';
import { ExecutionsService, type StartedExecution, type StartRequest } from './executions.service.js';
import { nodeExecutionView } from './node-execution.view.js';
import { waitOptionsOf } from './wait-options.js';
import { AcceptsTraceContext } from './accepts-trace-context.js';
import { traceOfRequest } from '../trace-context/index.js';

@ApiTags('executions')
@Controller('v1')
export class ExecutionsController {
  constructor(
    private readonly executions: ExecutionsService,
    private readonly reader: ExecutionsReader,
    private readonly reachable: ReachableExecutions,
    private readonly keyed: KeyedRequests,
    private readonly workflows: WorkflowHeads,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Starts an execution of a workflow. The response is sent after the commit. With `wait`, the response is sent when
   * the execution ends or the wait is over.
   */
  @Post(['workflows/:id/executions', 'workflows/:id/execute'])
  @RequireScope('executions:write')
  @TakesIdempotencyKey()
  @ApiOperation({ summary: 'Start an execution' })
  @ApiHeader({
    name: 'Prefer',
    required: false,
    description:
      'With `wait=N`, the service responds when the execution ends, or after N seconds if it has not ended. N is at most 60.',
  })
  @AcceptsTraceContext()
  @ApiAnswers(
    {
      200: {
        description:
          'The existing execution that has the same deduplication key and has not ended. No new execution was started.',
        type: ExecutionView,
        headers: LOCATION_HEADER,
      },
      201: { description: 'The execution.', type: ExecutionView, headers: LOCATION_HEADER },
    },
    409,
  )
  start(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() body: StartExecutionBody,
    @Query() { wait }: StartExecutionQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    // The handler itself processes the idempotency key, because an interceptor would slow down each start.
    return this.keyed.respond({
      request,
      response,
      perform: async () => {
        const waitOptions = waitOptionsOf(request, response, wait);
        return started(
          await this.executions.start(principal, id, startRequest(body, request), waitOptions),
          response,
        );
      },
      render: async (resource) => {
        const execution = await this.reachable.read(principal, resource.id);
        return started({ execution, isNew: true }, response);
      },
    });
  }

  @Get('executions')
  @RequireScope('executions:read')
  @ApiOperation({ summary: 'List executions' })
  @ApiPage(ExecutionView, 'Executions.')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListExecutionsQuery,
  ): Promise<Page<ExecutionView>> {
    return this.page(principal, query);
  }

  @Get('workflows/:id/executions')
  @RequireScope('executions:read')
  @ApiOperation({ summary: 'List the executions of a workflow', operationId: 'listWorkflowExecutions' })
  @ApiPage(ExecutionView, 'Executions.')
  async listOfWorkflow(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() query: ListExecutionsQuery,
  ): Promise<Page<ExecutionView>> {
    await this.workflows.read(principal, id);
    return this.page(principal, query, { workflowId: id });
  }

  @Get('sessions/:id/executions')
  @RequireScope('executions:read')
  @ApiOperation({ summary: 'List the executions of a session', operationId: 'listSessionExecutions' })
  @ApiPage(ExecutionView, 'Executions.')
  async listOfSession(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() query: ListExecutionsQuery,
  ): Promise<Page<ExecutionView>> {
    await this.sessions.read(principal, id);
    return this.page(principal, query, { sessionId: id });
  }

  @Get('executions/:id')
  @RequireScope('executions:read')
  @Viewable()
  @ApiOperation({ summary: 'Read an execution' })
  @ApiAnswers({ 200: { description: 'The execution.', type: ExecutionView } })
  async read(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<ExecutionView> {
    return executionView(await this.reachable.read(principal, id));
  }

  /**
   * Lists the nodes of an execution in the order of the plan, each with its attempts. After a loop that has started,
   * its inner nodes are listed once for each item. Before the start of a loop, its inner nodes are absent.
   */
  @Get('executions/:id/nodes')
  @RequireScope('executions:read')
  @Viewable()
  @ApiOperation({ summary: 'List the nodes of an execution', operationId: 'listExecutionNodes' })
  @ApiPage(NodeExecutionView, 'Nodes.')
  async nodes(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() query: ListNodeExecutionsQuery,
  ): Promise<Page<NodeExecutionView>> {
    const { cursor, offset, limit, node_id: nodeId } = query;
    const start = cursor === undefined ? offset : Number(decodeCursor(cursor, ['number'])[0]) + 1;
    const { items, total } = await this.reader.nodes(
      await this.reachable.read(principal, id),
      defined({ start, limit: limit + 1, nodeId }),
    );
    return page(query, {
      rows: items.map((node, index) => ({ node, index: start + index })),
      total,
      cursorOf: ({ index }) => [index],
      toItem: ({ node }) => nodeExecutionView(id, node),
    });
  }

  /** Cancels an execution and aborts its running nodes. Has no effect if the execution is already cancelled. */
  @Post('executions/:id/cancel')
  @HttpCode(200)
  @RequireScope('executions:write')
  @ApiOperation({ summary: 'Cancel an execution' })
  @ApiAnswers({ 200: { description: 'The cancelled execution.', type: ExecutionView } }, 409)
  async cancel(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() { reason }: CancelExecutionBody,
  ): Promise<ExecutionView> {
    return executionView(await this.executions.cancel(principal, id, reason ?? null));
  }

  private async page(
    principal: Principal,
    query: ListExecutionsQuery,
    owner: ListOwner = {},
  ): Promise<Page<ExecutionView>> {
    const { items, total } = await this.reader.list(principal, listFilter(query, owner), idPlace(query));
    return page(query, { rows: items, total, cursorOf: ({ id }) => [id], toItem: executionView });
  }
}

function startRequest(
  { input, version, session_id, metadata, priority, scheduled_for, deduplication }: StartExecutionBody,
  request: Request,
): StartRequest {
  return {
    input: input ?? null,
    trace: traceOfRequest(request),
    version: version ?? undefined,
    sessionId: session_id?.toLowerCase(),
    metadata: metadata ?? undefined,
    priority: priority ?? undefined,
    scheduledFor: instant('scheduled_for', scheduled_for ?? undefined),
    deduplication: deduplication
      ? { key: deduplication.key, onConflict: deduplication.on_conflict ?? 'return_existing' }
      : undefined,
  };
}

function started({ execution, isNew }: StartedExecution, response: Response): ExecutionView {
  response.status(isNew ? 201 : 200);
  return locatedExecutionView(execution, response);
}
