import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope } from '../../access/index.js';
import { ApiAnswers, IdParam } from '../../http/index.js';
import { StatsService } from './stats.service.js';
import { projectUsageView, ProjectUsageView } from './stats.view.js';

/**
 * Reports the storage of a project. The folder `projects` does not contain this controller, because `projects` must not
 * depend on executions.
 */
@ApiTags('projects')
@Controller('v1/projects')
export class UsageController {
  constructor(private readonly stats: StatsService) {}

  /** Returns the storage that the executions of a project use. The storage is measured at most once a minute. */
  @Get(':id/usage')
  @RequireScope('projects:read')
  @ApiOperation({ summary: 'Read how much data a project stores', operationId: 'readProjectUsage' })
  @ApiAnswers({
    200: { description: 'The size of the data that the project stores.', type: ProjectUsageView },
  })
  async usage(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<ProjectUsageView> {
    const { usage, measuredAt } = await this.stats.usage(principal, id);
    return projectUsageView(usage, measuredAt);
  }
}
