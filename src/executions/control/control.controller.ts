import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentPrincipal, type Principal, RequireScope } from '../../access/index.js';
import { Idempotent } from '../../idempotency/index.js';
import { ApiAnswers, IdParam } from '../../http/index.js';
import { traceOfRequest } from '../../trace-context/index.js';
import { AcceptsTraceContext } from '../accepts-trace-context.js';
import { executionView, ExecutionView } from '../execution.view.js';
import { PauseExecutionBody, SendSignalBody, SignalView } from './control.dto.js';
import { ControlService } from './control.service.js';
import type { Signal } from './execution-signals.js';
import { SignalNamePipe } from './signal-name.pipe.js';

@ApiTags('executions')
@Controller('v1/executions/:id')
export class ControlController {
  constructor(private readonly control: ControlService) {}

  /**
   * Pauses an execution. No further node starts. Running nodes finish, and their results are recorded. With
   * `timeout_counts: "elapsed"` (default), the timeout includes the pause. Has no effect if the execution is already
   * paused.
   */
  @Post('pause')
  @HttpCode(200)
  @RequireScope('executions:write')
  @ApiOperation({ summary: 'Pause an execution', operationId: 'pauseExecution' })
  @ApiAnswers({ 200: { description: 'The paused execution.', type: ExecutionView } }, 409)
  async pause(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() { reason }: PauseExecutionBody,
  ): Promise<ExecutionView> {
    return executionView(await this.control.pause(principal, id, reason ?? null));
  }

  /** Resumes a paused execution. */
  @Post('resume')
  @HttpCode(200)
  @RequireScope('executions:write')
  @ApiOperation({ summary: 'Resume an execution', operationId: 'resumeExecution' })
  @ApiAnswers({ 200: { description: 'The resumed execution.', type: ExecutionView } }, 409)
  async resume(@CurrentPrincipal() principal: Principal, @IdParam() id: string): Promise<ExecutionView> {
    return executionView(await this.control.resume(principal, id));
  }

  /**
   * Sends a signal to an execution. The signal is stored until a node waits for a signal with this name. Nodes consume
   * signals with equal names in the order of arrival. The response is sent after the commit. If only approvals that
   * name their approvers wait for this signal, the response is 403 `sign_in_needed`.
   */
  @Post('signals/:name')
  @HttpCode(202)
  @RequireScope('executions:write')
  @Idempotent<ControlController>({
    // A node may have consumed and deleted the stored signal. The response to a repeated request is therefore built
    // from the request and its idempotency key.
    render: (_, { request, resource }) =>
      signalView({
        id: resource.id,
        name: String(request.params['name']),
        executionId: String(request.params['id']).toLowerCase(),
        createdAt: resource.madeAt,
      }),
  })
  @ApiOperation({ summary: 'Send a signal to an execution', operationId: 'signalExecution' })
  @AcceptsTraceContext()
  @ApiParam({
    name: 'name',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
    example: 'payment_received',
  })
  @ApiAnswers({ 202: { description: 'The stored signal.', type: SignalView } }, 409)
  async signal(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Param('name', SignalNamePipe) name: string,
    @Body() { payload }: SendSignalBody,
    @Req() request: Request,
  ): Promise<SignalView> {
    const trace = traceOfRequest(request);
    return signalView(await this.control.signal(principal, id, name, payload ?? null, trace));
  }
}

function signalView({ id, name, executionId, createdAt }: Signal): SignalView {
  return { id, name, execution_id: executionId, created_at: createdAt };
}
