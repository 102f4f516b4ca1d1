import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { ApiAnswers, ApiPage, ETAG_HEADER, IdParam, type Page } from '../platform/index.js';
import { ListWorkflowsQuery, WorkflowAnswers, WorkflowView } from '../workflows/index.js';
import { Deprecated, DEPRECATION_HEADERS } from './deprecation.js';

/** Reads of workflows as `/v1` answers them. */
@ApiTags('v0')
@Deprecated()
@Controller('v0/workflows')
export class V0WorkflowsController {
  constructor(private readonly answers: WorkflowAnswers) {}

  /** Use `GET /v1/workflows`. */
  @Get()
  @RequireScope('workflows:read')
  @ApiOperation({ summary: 'List workflows', deprecated: true })
  @ApiPage(WorkflowView, 'Workflows.')
  list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListWorkflowsQuery,
  ): Promise<Page<WorkflowView>> {
    return this.answers.page(principal, query);
  }

  /** Use `GET /v1/workflows/{id}`. */
  @Get(':id')
  @RequireScope('workflows:read')
  @ApiOperation({ summary: 'Read a workflow', deprecated: true })
  @ApiAnswers({
    200: {
      description: 'The workflow.',
      type: WorkflowView,
      headers: { ...ETAG_HEADER, ...DEPRECATION_HEADERS },
    },
  })
  read(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WorkflowView> {
    return this.answers.one(principal, id, response);
  }
}
