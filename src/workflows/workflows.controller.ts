import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal, requireScope, RequireScope } from '../access/index.js';
import type { JsonObject } from '../expressions/index.js';
import { Idempotent } from '../idempotency/index.js';
import {
  ApiAnswers,
  ApiPage,
  ETAG_HEADER,
  LOCATION_HEADER,
  IdParam,
  IfMatch,
  IntegerParam,
  matched,
  TakesIfMatch,
} from '../http/index.js';
import { decodeCursor, type Page, page, PageQuery, requireOnePlace } from '../pages/index.js';
import { ValidationError } from '../errors/index.js';
import { defined } from '../platform/index.js';
import type { Workflow } from './workflow.js';
import {
  CreateWorkflowBody,
  DeleteWorkflowQuery,
  ListWorkflowsQuery,
  ValidateWorkflowView,
  WorkflowBody,
} from './workflow.dto.js';
import {
  SavedWorkflowView,
  WorkflowVersionView,
  workflowVersionView,
  WorkflowView,
} from './workflow.view.js';
import { WorkflowAnswers } from './workflow-answers.js';
import { WorkflowDocuments } from './workflow-documents.js';
import { WorkflowChangedError } from './workflows.errors.js';
import { WorkflowsService } from './workflows.service.js';

/** Maximum number of tries to apply a change to a workflow while other requests change it at the same time. */
const MAX_TRIES = 5;

@ApiTags('workflows')
@Controller('v1/workflows')
export class WorkflowsController {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly documents: WorkflowDocuments,
    private readonly answers: WorkflowAnswers,
  ) {}

  /** Creates a workflow. If the definition is invalid, the response lists all errors. */
  @Post()
  @RequireScope('workflows:write')
  @Idempotent<WorkflowsController>({
    render: async (controller, { principal, response, resource }) =>
      controller.created(await controller.workflows.read(principal, resource.id), response),
  })
  @ApiOperation({ summary: 'Create a workflow' })
  @ApiBody({ type: CreateWorkflowBody })
  @ApiAnswers({
    201: {
      description: 'The workflow.',
      type: SavedWorkflowView,
      headers: { ...LOCATION_HEADER, ...ETAG_HEADER },
    },
  })
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() document: JsonObject,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SavedWorkflowView> {
    const { projectId, input } = this.documents.created(document);
    return this.created(await this.workflows.create(principal, projectId, input), response);
  }

  /** Checks a definition without saving it. The response lists all errors and warnings. */
  @Post('validate')
  @HttpCode(200)
  @RequireScope('workflows:read')
  @ApiOperation({ summary: 'Check a workflow definition' })
  @ApiBody({ type: WorkflowBody })
  @ApiAnswers({
    200: {
      description: 'All errors and warnings of the definition. A valid definition has no errors.',
      type: ValidateWorkflowView,
    },
  })
  validate(
    @CurrentPrincipal() principal: Principal,
    @Body() document: JsonObject,
  ): Promise<ValidateWorkflowView> {
    return this.documents.check(principal, document);
  }

  @Get()
  @RequireScope('workflows:read')
  @ApiOperation({ summary: 'List workflows' })
  @ApiPage(WorkflowView, 'Workflows.')
  list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListWorkflowsQuery,
  ): Promise<Page<WorkflowView>> {
    return this.answers.page(principal, query);
  }

  @Get(':id')
  @RequireScope('workflows:read')
  @ApiOperation({ summary: 'Read a workflow' })
  @ApiAnswers({ 200: { description: 'The workflow.', type: WorkflowView, headers: ETAG_HEADER } })
  read(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WorkflowView> {
    return this.answers.one(principal, id, response);
  }

  /**
   * Replaces a workflow. A changed definition becomes a new version; unfinished executions keep their version.
   * Read-only fields are ignored, so you can send back what you read.
   */
  @Put(':id')
  @RequireScope('workflows:write')
  @ApiOperation({ summary: 'Replace a workflow' })
  @ApiBody({ type: WorkflowBody })
  @TakesIfMatch()
  @ApiAnswers(
    { 200: { description: 'The changed workflow.', type: SavedWorkflowView, headers: ETAG_HEADER } },
    409,
  )
  async replace(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() document: JsonObject,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() ifMatch?: string,
  ): Promise<SavedWorkflowView> {
    const input = this.documents.replaced(document);
    const changed = await this.changing(principal, id, ifMatch, (current) =>
      this.workflows.replace(principal, current, input),
    );
    return this.answers.saved(changed, response);
  }

  /** Changes a workflow by JSON Merge Patch (RFC 7396). A null in the patch removes the field. */
  @Patch(':id')
  @RequireScope('workflows:write')
  @ApiOperation({ summary: 'Change a workflow' })
  @TakesIfMatch()
  @ApiBody({
    schema: { type: 'object', additionalProperties: true, example: { description: 'Says hello, politely.' } },
  })
  @ApiAnswers(
    { 200: { description: 'The changed workflow.', type: SavedWorkflowView, headers: ETAG_HEADER } },
    409,
  )
  async change(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() patch: JsonObject,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() ifMatch?: string,
  ): Promise<SavedWorkflowView> {
    const changed = await this.changing(principal, id, ifMatch, (current) =>
      this.workflows.replace(principal, current, this.documents.patched(current, patch)),
    );
    return this.answers.saved(changed, response);
  }

  /** Deletes a workflow. The workflow's executions and their history are kept. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('workflows:write')
  @ApiOperation({ summary: 'Delete a workflow' })
  @TakesIfMatch()
  @ApiAnswers({ 204: { description: 'The workflow is deleted.' } }, 409)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() { cancel }: DeleteWorkflowQuery,
    @IfMatch() ifMatch?: string,
  ): Promise<void> {
    if (cancel === 'true') requireScope(principal, 'executions:write');
    await this.changing(principal, id, ifMatch, (current) =>
      this.workflows.delete(principal, current, cancel === 'true'),
    );
  }

  @Get(':id/versions')
  @RequireScope('workflows:read')
  @ApiOperation({ summary: 'List the versions of a workflow', operationId: 'listWorkflowVersions' })
  @ApiPage(WorkflowVersionView, 'Versions.')
  async versions(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() query: PageQuery,
  ): Promise<Page<WorkflowVersionView>> {
    const workflow = await this.workflows.read(principal, id);
    requireOnePlace(query);
    const after = query.cursor === undefined ? undefined : versionOf(query.cursor);
    const { items, total } = await this.workflows.versions(
      workflow,
      defined({ limit: query.limit + 1, offset: query.offset, order: query.order, after }),
    );
    return page(query, {
      rows: items,
      total,
      cursorOf: ({ version }) => [version],
      toItem: workflowVersionView,
    });
  }

  @Get(':id/versions/:version')
  @RequireScope('workflows:read')
  @ApiOperation({ summary: 'Read a version of a workflow', operationId: 'readWorkflowVersion' })
  @ApiAnswers({ 200: { description: 'The version.', type: WorkflowVersionView } })
  async version(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @IntegerParam('version') version: number,
  ): Promise<WorkflowVersionView> {
    const workflow = await this.workflows.read(principal, id);
    return workflowVersionView(await this.workflows.version(workflow, version));
  }

  /**
   * Applies a change to the current state of a workflow. If another change was stored first, tries again with the new
   * state.
   * @throws PreconditionFailedError if the workflow does not match `If-Match`
   */
  private async changing<T>(
    principal: Principal,
    id: string,
    ifMatch: string | undefined,
    change: (current: Workflow) => Promise<T>,
  ): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const current = matched(await this.workflows.read(principal, id), ifMatch);
      try {
        return await change(current);
      } catch (error) {
        if (!(error instanceof WorkflowChangedError) || tries === MAX_TRIES) throw error;
      }
    }
  }

  private created(workflow: Workflow, response: Response): Promise<SavedWorkflowView> {
    response.set('Location', `/v1/workflows/${workflow.id}`);
    return this.answers.saved(workflow, response);
  }
}

/** @throws ValidationError if the cursor is not a version number */
function versionOf(cursor: string): number {
  const version = Number(decodeCursor(cursor, ['number'])[0]);
  if (Number.isInteger(version) && version >= 0 && version <= MAX_VERSION) return version;
  throw ValidationError.of('cursor', 'malformed_cursor', 'must be a next_cursor of this list');
}

/** Maximum version of a workflow, which is the maximum of an integer column. */
const MAX_VERSION = 2_147_483_647;
