import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope } from '../../access/index.js';
import { ApiAnswers, IdParam } from '../../http/index.js';
import { StatsService } from './stats.service.js';
import { projectUsageView, ProjectUsageView } from './stats.view.js';

/** Belongs to execution reports because the `projects` module does not depend on executions. */
@ApiTags('projects')
@Controller('v1/projects')
export class UsageController {
  constructor(private readonly stats: StatsService) {}

  /** Storage that the executions of a project use. Measured at most once a minute. */
  @Get(':id/usage')
  @RequireScope('projects:read')
  @ApiOperation({ summary: 'Read what a project stores', operationId: 'readProjectUsage' })
  @ApiAnswers({ 200: { description: 'What it stores.', type: ProjectUsageView } })
  async usage(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<ProjectUsageView> {
    const { usage, measuredAt } = await this.stats.usage(principal, id);
    return projectUsageView(usage, measuredAt);
  }
}
