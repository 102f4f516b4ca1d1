import { applyDecorators, Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AddressRanges, Public, requestAddress } from '../access/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { APPROVALS_PATH } from './approval-link.maker.js';
import { approvalPage } from './approval-page.js';
import { type Approval, ApprovalsService } from './approvals.service.js';

/**
 * Public pages of approval links. The token in the link is the only credential. `GET` changes nothing, because programs
 * that preview links must not make decisions.
 */
@ApiTags('approvals')
@Controller(`${APPROVALS_PATH}/:token`)
export class ApprovalsController {
  private readonly trustedProxies: AddressRanges;

  constructor(
    private readonly approvals: ApprovalsService,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.trustedProxies = AddressRanges.of(settings.TRUSTED_PROXIES);
  }

  /** Shows the approval with one button. The link determines whether the button approves or rejects. */
  @Get()
  @Public()
  @ApiOperation({ summary: 'Show the page of an approval', operationId: 'showApproval' })
  @ApiPages()
  async show(@Param('token') token: string, @Res() response: Response): Promise<void> {
    answer(response, await this.approvals.readByToken(token));
  }

  /**
   * Approves or rejects, as the link determines. An approval can be decided only once. If the approval names its
   * approvers, use `POST /v1/approvals/{token}`.
   */
  @Post()
  @Public()
  @ApiOperation({ summary: 'Approve or reject on the page of an approval', operationId: 'decideApproval' })
  @ApiPages()
  async decide(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    answer(response, await this.approvals.decide(token, requestAddress(request, this.trustedProxies)));
  }
}

function answer(response: Response, approval: Approval): void {
  const { status, headers, html } = approvalPage(approval);
  response.status(status).set(headers).send(html);
}

function ApiPages(): MethodDecorator {
  const page = (status: number, description: string): MethodDecorator =>
    ApiResponse({
      status,
      description,
      content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } },
    });
  return applyDecorators(
    ApiParam({
      name: 'token',
      description: 'Token of the approval: the last path segment of `approve_url` or `reject_url`.',
      schema: { type: 'string' },
      example: 'WyIwMTk5.c2lnbmF0dXJl',
    }),
    page(200, 'A page with the question, or with the decision.'),
    page(404, 'The link is unknown.'),
    page(409, 'The approval was already decided.'),
    page(410, 'The deadline has passed.'),
  );
}
