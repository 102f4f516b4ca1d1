import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope } from '../../access/index.js';
import { ApiAnswers } from '../../http/index.js';
import { defined } from '../../platform/index.js';
import { LatestRunsQuery, StatsQuery } from './stats.dto.js';
import { StatsService } from './stats.service.js';
import { executionStatsView, ExecutionStatsView, latestRunsView, LatestRunsView } from './stats.view.js';

@ApiTags('executions')
@Controller('v1/executions/stats')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  /**
   * Returns statistics of executions: how many executions ended in the window, by status, and how many are active. The
   * figures are at most a few seconds old.
   */
  @Get()
  @RequireScope('executions:read')
  @ApiOperation({ summary: 'Read statistics of executions', operationId: 'readExecutionStats' })
  @ApiAnswers({
    200: { description: 'The numbers of ended and active executions.', type: ExecutionStatsView },
  })
  async read(
    @CurrentPrincipal() principal: Principal,
    @Query() { window, project_id, workflow_id }: StatsQuery,
  ): Promise<ExecutionStatsView> {
    const stats = await this.stats.stats(
      principal,
      defined({ window, projectId: project_id?.toLowerCase(), workflowId: workflow_id?.toLowerCase() }),
    );
    return executionStatsView(stats);
  }

  /**
   * Returns the latest executions of several workflows. A workflow is omitted if it has no executions or if the caller
   * may not read it.
   */
  @Get('workflows')
  @RequireScope('executions:read')
  @ApiOperation({ summary: 'Read the latest executions of workflows', operationId: 'readLatestRuns' })
  @ApiAnswers({ 200: { description: 'The latest executions of each workflow.', type: LatestRunsView } })
  async latestRuns(
    @CurrentPrincipal() principal: Principal,
    @Query() { workflow_id }: LatestRunsQuery,
  ): Promise<LatestRunsView> {
    return latestRunsView(await this.stats.latestRuns(principal, workflow_id));
  }
}
