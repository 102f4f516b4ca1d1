import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { ApiAnswers, IdParam, requestIdOf } from '../http/index.js';
import { DeliveryResponses } from './delivery-responses.js';
import { testRequest } from './hook-request.js';
import { TestHookBody } from './hook.dto.js';
import { AcceptedDeliveryView } from './hook.view.js';
import { HooksService } from './hooks.service.js';

/** Route that sends a test request to a hook. */
@ApiTags('hooks')
@Controller('v1/hooks/:id/test')
export class HookTestsController {
  constructor(
    private readonly hooks: HooksService,
    private readonly deliveries: DeliveryResponses,
  ) {}

  /**
   * Handles a test request like a request from the hook's sender, but verifies no signature. The test really starts or
   * signals an execution. The request is recorded as a delivery with the source `test`, and never counts as repeated.
   */
  @Post()
  @HttpCode(202)
  @RequireScope('hooks:write')
  @ApiOperation({ summary: 'Send a test request to a hook', operationId: 'testHook' })
  @ApiAnswers(
    {
      200: {
        description:
          'The output of the execution: any JSON. Only hooks with `respond: output` send this response.',
        isAnyJson: true,
      },
      202: {
        description: 'The execution that the test request started or signaled.',
        type: AcceptedDeliveryView,
      },
    },
    405,
    409,
    502,
  )
  async test(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() { method, headers, query, body }: TestHookBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    const hook = await this.hooks.read(principal, id);
    const received = testRequest(
      { method: method ?? hook.methods[0] ?? 'POST', headers, query, body },
      { address: principal.address, requestId: requestIdOf(request) },
    );
    const admitted = { hook, teamId: principal.teamId };
    return this.deliveries.respond(admitted, { request: received, bodyFault: undefined }, response);
  }
}
