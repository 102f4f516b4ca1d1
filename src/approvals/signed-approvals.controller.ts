import { applyDecorators, Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Authenticated, CurrentPrincipal, type Principal } from '../access/index.js';
import { ApiAnswers } from '../http/index.js';
import { ApprovalView, approvalView, DecideApprovalBody } from './approval.view.js';
import { ApprovalsService } from './approvals.service.js';

/**
 * Approvals for authenticated callers. The token determines whether a request approves or rejects. The caller is
 * recorded as the person who decided.
 */
@ApiTags('approvals')
@Controller('v1/approvals/:token')
export class SignedApprovalsController {
  constructor(private readonly approvals: ApprovalsService) {}

  /** Returns an approval and whether you may decide it. */
  @Get()
  @Authenticated()
  @ApiToken()
  @ApiOperation({ summary: 'Read an approval', operationId: 'readApproval' })
  @ApiAnswers({ 200: { description: 'The approval.', type: ApprovalView } }, 403, 404)
  async read(@CurrentPrincipal() principal: Principal, @Param('token') token: string): Promise<ApprovalView> {
    return approvalView(await this.approvals.read(principal, token));
  }

  /**
   * Approves or rejects in your name, as the token determines. An approval can be decided only once. An approval that
   * names its approvers requires a person who is signed in to the dashboard.
   */
  @Post()
  @HttpCode(200)
  @Authenticated()
  @ApiToken()
  @ApiOperation({ summary: 'Decide an approval as the signed-in user', operationId: 'decideApprovalAs' })
  @ApiAnswers({ 200: { description: 'The decided approval.', type: ApprovalView } }, 403, 404, 409)
  async decide(
    @CurrentPrincipal() principal: Principal,
    @Param('token') token: string,
    @Body() { comment }: DecideApprovalBody,
  ): Promise<ApprovalView> {
    return approvalView(await this.approvals.decideAs(principal, token, comment));
  }
}

function ApiToken(): MethodDecorator {
  return applyDecorators(
    ApiParam({
      name: 'token',
      description: 'Token of the approval: the last path segment of `approve_url` or `reject_url`.',
      schema: { type: 'string' },
      example: 'WyIwMTk5.c2lnbmF0dXJl',
    }),
  );
}
