import { Controller, Delete, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiAnswers, ApiPage, IdParam } from '../http/index.js';
import { idPlace, type Page, page, PageQuery } from '../pages/index.js';
import { ReceivedInvitationView, receivedInvitationView } from '../teams/index.js';
import { OwnInvitations } from './own-invitations.service.js';
import { RequestAddress } from './request-address.js';
import { CurrentSignIn, ForSignedIn } from './sign-in/current-sign-in.js';
import type { CurrentSignIn as Current } from './sign-in/sign-in.js';
import { SignInAnswers } from './sign-in/sign-in.answers.js';
import { SignedInView } from './sign-in/sign-in.view.js';

@ApiTags('auth')
@Controller('v1/auth/invitations')
export class OwnInvitationsController {
  constructor(
    private readonly invitations: OwnInvitations,
    private readonly answers: SignInAnswers,
    private readonly address: RequestAddress,
  ) {}

  /** Lists the open invitations to your email address, from all teams. */
  @Get()
  @ForSignedIn()
  @ApiOperation({ summary: 'List invitations to you', operationId: 'listReceivedInvitations' })
  @ApiPage(ReceivedInvitationView, 'Open invitations for your email address.')
  async list(
    @CurrentSignIn() current: Current,
    @Query() query: PageQuery,
  ): Promise<Page<ReceivedInvitationView>> {
    const { items, total } = await this.invitations.list(current, idPlace(query));
    return page(query, {
      rows: items,
      total,
      cursorOf: ({ invitation }) => [invitation.id],
      toItem: receivedInvitationView,
    });
  }

  /**
   * Accepts an invitation. You become a member of the team. Your current sign-in continues to act in its selected team
   * until you switch teams.
   */
  @Post(':id/accept')
  @HttpCode(200)
  @ForSignedIn('changes')
  @ApiOperation({ summary: 'Accept an invitation to you', operationId: 'acceptReceivedInvitation' })
  @ApiAnswers(
    { 200: { description: 'The signed-in user. `teams` includes the new team.', type: SignedInView } },
    404,
    409,
  )
  async accept(
    @CurrentSignIn() current: Current,
    @IdParam() id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInView> {
    await this.invitations.accept(current, id, this.address.origin(request));
    return this.answers.shown(current, response);
  }

  /** Declines an invitation. The link of the invitation stops working. */
  @Delete(':id')
  @HttpCode(204)
  @ForSignedIn('changes')
  @ApiOperation({ summary: 'Decline an invitation to you', operationId: 'declineReceivedInvitation' })
  @ApiAnswers({ 204: { description: 'The invitation is declined.' } }, 404)
  async decline(
    @CurrentSignIn() current: Current,
    @IdParam() id: string,
    @Req() request: Request,
  ): Promise<void> {
    await this.invitations.decline(current, id, this.address.origin(request));
  }
}
