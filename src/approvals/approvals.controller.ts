import { applyDecorators, Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AddressRanges, Public, requestAddress } from '../access/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { APPROVALS_PATH } from './approval-link.maker.js';
import { approvalPage } from './approval-page.js';
import { type Approval, ApprovalsService } from './approvals.service.js';

/** Pages for people who decide. The link is the credential. Opening it, as a preview does, decides nothing. */
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

  /** Shows what is decided, with a button. */
  @Get()
  @Public()
  @ApiOperation({ summary: 'Show an approval', operationId: 'showApproval' })
  @ApiPages()
  async show(@Param('token') token: string, @Res() response: Response): Promise<void> {
    answer(response, await this.approvals.look(token));
  }

  /** Decides, once. An approval that names its approvers is decided by `POST /v1/approvals/{token}`. */
  @Post()
  @Public()
  @ApiOperation({ summary: 'Decide an approval', operationId: 'decideApproval' })
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
      description: 'The end of an `approve_url` or a `reject_url`.',
      schema: { type: 'string' },
      example: 'WyIwMTk5.c2lnbmF0dXJl',
    }),
    page(200, 'What is to be decided, or that it is.'),
    page(404, 'The link is not known.'),
    page(409, 'It was decided before.'),
    page(410, 'It is too late to decide.'),
  );
}
