import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScope } from '../../access/index.js';
import { ApiAnswers } from '../../http/index.js';
import { BulkBody, BulkView } from './bulk.dto.js';
import { bulkTerms } from './bulk-request.js';
import { BulkService } from './bulk.service.js';

@ApiTags('executions')
@Controller('v1/executions')
export class BulkController {
  constructor(private readonly bulk: BulkService) {}

  /**
   * Cancels up to 1,000 executions that match a filter, or retries them from their failed nodes. Repeat the request
   * while `has_more` is true.
   */
  @Post('bulk')
  @HttpCode(200)
  @RequireScope('executions:write')
  @ApiOperation({ summary: 'Cancel or retry many executions' })
  @ApiAnswers({
    200: {
      description: 'The numbers of changed and failed executions, and whether more executions match.',
      type: BulkView,
    },
  })
  async run(@CurrentPrincipal() principal: Principal, @Body() body: BulkBody): Promise<BulkView> {
    return this.bulk.run(principal, { action: body.action, ...bulkTerms(body) });
  }
}
