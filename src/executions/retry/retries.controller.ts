import { ReachableExecutions } from '../../execution-store/index.js';
import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope } from '../../access/index.js';
import { Idempotent } from '../../idempotency/index.js';
import { ApiAnswers, IdParam, LOCATION_HEADER } from '../../http/index.js';
import { traceOfRequest } from '../../trace-context/index.js';
import { AcceptsTraceContext } from '../accepts-trace-context.js';
import { ExecutionView, locatedExecutionView } from '../execution.view.js';
import { defined } from '../../platform/index.js';
import { RetriesService } from './retries.service.js';
import { RetryExecutionBody } from './retry.dto.js';

@ApiTags('executions')
@Controller('v1/executions')
export class RetriesController {
  constructor(
    private readonly retries: RetriesService,
    private readonly executions: ReachableExecutions,
  ) {}

  /** Retries an execution that has ended. The retry is a new execution, which reuses the results of completed nodes. */
  @Post(':id/retry')
  @RequireScope('executions:write')
  @Idempotent<RetriesController>({
    render: async (controller, { principal, response, resource }) =>
      locatedExecutionView(await controller.executions.read(principal, resource.id), response),
  })
  @AcceptsTraceContext()
  @ApiOperation({ summary: 'Retry an execution' })
  @ApiAnswers(
    { 201: { description: 'The new execution.', type: ExecutionView, headers: LOCATION_HEADER } },
    409,
  )
  async retry(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() { from, version, input }: RetryExecutionBody,
    @Req() sent: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ExecutionView> {
    const request = defined({
      from: from ?? 'failed',
      version: version ?? 'same',
      input,
      trace: traceOfRequest(sent),
    });
    const source = await this.executions.read(principal, id);
    return locatedExecutionView(await this.retries.retry(principal, source, request), response);
  }
}
