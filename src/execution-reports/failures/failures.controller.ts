import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope } from '../../access/index.js';
import { ApiAnswers } from '../../http/index.js';
import { defined } from '../../platform/index.js';
import { FailuresService } from './failures.service.js';
import { FailuresQuery, failuresView, FailuresView } from './failures.view.js';

@ApiTags('executions')
@Controller('v1/executions/failures')
export class FailuresController {
  constructor(private readonly failures: FailuresService) {}

  /**
   * Groups failed and timed out executions by cause: workflow, node, error type and shape of the message. Only the
   * newest 10,000 executions in the window are grouped, so that the response time does not grow with the number of
   * executions. The figures are at most a few seconds old.
   */
  @Get()
  @RequireScope('executions:read')
  @ApiOperation({ summary: 'Group failed executions by cause', operationId: 'readFailures' })
  @ApiAnswers({
    200: { description: 'Groups of failed executions, one for each cause.', type: FailuresView },
  })
  async read(
    @CurrentPrincipal() principal: Principal,
    @Query() { window, project_id, workflow_id }: FailuresQuery,
  ): Promise<FailuresView> {
    const failures = await this.failures.failures(
      principal,
      defined({ window, projectId: project_id?.toLowerCase(), workflowId: workflow_id?.toLowerCase() }),
    );
    return failuresView(failures);
  }
}
