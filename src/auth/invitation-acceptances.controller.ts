import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../access/index.js';
import { ApiAnswers } from '../http/index.js';
import { AcceptInvitationBody, ReadInvitationBody } from './invitation-acceptance.dto.js';
import { ReceivedInvitationView, receivedInvitationView } from '../teams/index.js';
import { InvitationAcceptance } from './invitation-acceptance.service.js';
import { RequestAddress } from './request-address.js';
import { DashboardAuthenticator } from './sign-in/dashboard-authenticator.js';
import { SignInAnswers } from './sign-in/sign-in.answers.js';
import { SignedInView } from './sign-in/sign-in.view.js';
import { COOKIE_HEADER } from './sign-in/sign-ins.controller.js';

@ApiTags('auth')
@Controller('v1/auth/invitations')
export class InvitationAcceptancesController {
  constructor(
    private readonly acceptance: InvitationAcceptance,
    private readonly dashboard: DashboardAuthenticator,
    private readonly answers: SignInAnswers,
    private readonly address: RequestAddress,
  ) {}

  /**
   * Returns the team, the inviter and the invited email address of an invitation. The request does not accept the
   * invitation.
   */
  @Post('read')
  @HttpCode(200)
  @Public()
  @ApiOperation({ summary: 'Read an invitation by its link', operationId: 'readInvitation' })
  @ApiAnswers({ 200: { description: 'The invitation.', type: ReceivedInvitationView } }, 401)
  async read(
    @Body() { token }: ReadInvitationBody,
    @Req() request: Request,
  ): Promise<ReceivedInvitationView> {
    return receivedInvitationView(await this.acceptance.read(token, this.address.of(request)));
  }

  /**
   * Accepts an invitation and signs you in to the team. An invitation can be accepted once, within seven days. Send the
   * password of your account, or a password for a new account. If you are already signed in, send the CSRF token
   * instead.
   */
  @Post('accept')
  @HttpCode(200)
  @Public()
  @ApiOperation({ summary: 'Accept an invitation', operationId: 'acceptInvitation' })
  @ApiAnswers(
    { 200: { description: 'The signed-in user.', type: SignedInView, headers: COOKIE_HEADER } },
    401,
    403,
    404,
    409,
    503,
  )
  async create(
    @Body() body: AcceptInvitationBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInView> {
    const browser = this.answers.browserOf(request);
    const origin = this.address.origin(request);
    const userId =
      body.password === undefined && browser.replaced !== undefined
        ? (await this.dashboard.authenticate(request, origin.address)).principal.userId
        : undefined;
    return this.answers.begun(await this.acceptance.accept(body, origin, userId, browser), response);
  }
}
