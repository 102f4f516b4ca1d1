import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { ApiAnswers, IdParam } from '../http/index.js';
import { CompareExecutionsQuery, ExecutionDiffView } from './comparison.dto.js';
import { ComparisonsService } from './comparisons.service.js';

@ApiTags('executions')
@Controller('v1/executions')
export class ComparisonsController {
  constructor(private readonly comparisons: ComparisonsService) {}

  /**
   * Compares two executions of a workflow: status, duration, version, path taken, input, output and nodes. The caller
   * must be allowed to read both executions. Instead of a long value, the response contains its start or its URL.
   */
  @Get(':id/diff')
  @RequireScope('executions:read')
  @ApiOperation({ summary: 'Compare two executions', operationId: 'compareExecutions' })
  @ApiAnswers({
    200: { description: 'The differences between the two executions.', type: ExecutionDiffView },
  })
  compare(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() query: CompareExecutionsQuery,
  ): Promise<ExecutionDiffView> {
    return this.comparisons.compare(principal, id, query.with.toLowerCase());
  }
}
