import { Body, Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { ApiAnswers, holdOpen, IdParam } from '../http/index.js';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { TestNodeBody, TestNodeView } from './authoring.dto.js';
import type { TrialResult } from './node-trial.js';
import { NodeTrials } from './node-trials.service.js';

@ApiTags('workflows')
@Controller('v1/workflows/:id/nodes/:node_id')
export class NodeTrialsController {
  constructor(
    private readonly trials: NodeTrials,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Runs one attempt of a node on the given data, in its sandbox, for at most 30 seconds. Creates no execution and
   * records nothing. Effects of the node are real: an `http` node sends its request. If the node fails, the response is
   * 200 with `error`.
   */
  @Post('test')
  @HttpCode(200)
  @RequireScope('executions:write')
  @ApiOperation({ summary: 'Test a node', operationId: 'testNode' })
  @ApiParam({
    name: 'node_id',
    schema: { type: 'string' },
    description: 'Id of a node in the current version of the workflow.',
  })
  @ApiAnswers({ 200: { description: 'The result of the node.', type: TestNodeView } }, 404, 409)
  async test(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Param('node_id') nodeId: string,
    @Body() { with: parameters, scope = {} }: TestNodeBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TestNodeView> {
    holdOpen(request);
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    const start = this.clock.now();
    const asked = { parameters: parameters ?? null, scope };
    const result = await this.trials.run(principal, id, nodeId, asked, disconnected.signal);
    return view(result, this.clock.now() - start);
  }
}

function view(result: TrialResult, durationMs: number): TestNodeView {
  const { status, output, error, logs, waitingFor } = result;
  return {
    status,
    output,
    ...(error === null ? {} : { error: { ...error } }),
    ...(waitingFor === null
      ? {}
      : {
          waiting_for: {
            until: waitingFor.until === null ? null : isoTime(waitingFor.until),
            signal: waitingFor.signal,
          },
        }),
    logs,
    duration_ms: durationMs,
  };
}
