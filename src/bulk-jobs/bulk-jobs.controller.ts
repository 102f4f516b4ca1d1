import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { bulkTerms } from '../executions/index.js';
import { ApiAnswers, ApiPage, IdParam, LOCATION_HEADER } from '../http/index.js';
import { Idempotent } from '../idempotency/index.js';
import { idPlace, type Page, page, PageQuery } from '../pages/index.js';
import { bulkJobView, BulkJobView, CreateBulkJobBody } from './bulk-job.dto.js';
import type { BulkJob } from './bulk-job.js';
import { BulkJobsService } from './bulk-jobs.service.js';

@ApiTags('executions')
@Controller('v1/bulk-jobs')
export class BulkJobsController {
  constructor(private readonly jobs: BulkJobsService) {}

  /**
   * Cancels, pauses, resumes or retries every execution that matches a filter and was created before the request. The
   * job runs in the background and survives restarts of the service.
   */
  @Post()
  @HttpCode(202)
  @RequireScope('executions:write')
  @Idempotent<BulkJobsController>({
    render: async (controller, { principal, response, resource }) =>
      controller.accepted(await controller.jobs.read(principal, resource.id), response),
  })
  @ApiOperation({ summary: 'Start a bulk job', operationId: 'createBulkJob' })
  @ApiAnswers({ 202: { description: 'The job.', type: BulkJobView, headers: LOCATION_HEADER } }, 409)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() body: CreateBulkJobBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BulkJobView> {
    return this.accepted(
      await this.jobs.create(principal, { action: body.action, ...bulkTerms(body) }),
      response,
    );
  }

  /** Lists the bulk jobs of the team. Jobs are deleted `RETENTION_DAYS` after their end, like executions. */
  @Get()
  @RequireScope('executions:read')
  @ApiOperation({ summary: 'List bulk jobs', operationId: 'listBulkJobs' })
  @ApiPage(BulkJobView, 'Bulk jobs.')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: PageQuery,
  ): Promise<Page<BulkJobView>> {
    const { items, total } = await this.jobs.list(principal, idPlace(query));
    return page(query, { rows: items, total, cursorOf: ({ id }) => [id], toItem: bulkJobView });
  }

  @Get(':id')
  @RequireScope('executions:read')
  @ApiOperation({ summary: 'Read a bulk job', operationId: 'readBulkJob' })
  @ApiAnswers({ 200: { description: 'The job and its progress.', type: BulkJobView } })
  async read(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<BulkJobView> {
    return bulkJobView(await this.jobs.read(principal, id));
  }

  /** Cancels a bulk job. Changes that the job has already made to executions are not undone. */
  @Post(':id/cancel')
  @HttpCode(200)
  @RequireScope('executions:write')
  @ApiOperation({ summary: 'Cancel a bulk job', operationId: 'cancelBulkJob' })
  @ApiAnswers({ 200: { description: 'The cancelled job.', type: BulkJobView } }, 409)
  async cancel(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<BulkJobView> {
    return bulkJobView(await this.jobs.cancel(principal, id));
  }

  private accepted(job: BulkJob, response: Response): BulkJobView {
    response.set('Location', `/v1/bulk-jobs/${job.id}`);
    return bulkJobView(job);
  }
}
