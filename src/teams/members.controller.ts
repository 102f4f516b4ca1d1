import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Authenticated, CurrentPrincipal, type Principal, RequireScope } from '../access/index.js';
import { Idempotent } from '../idempotency/index.js';
import { ApiAnswers, ApiPage, IdParam, LOCATION_HEADER } from '../http/index.js';
import { idPlace, type Page, page, PageQuery } from '../pages/index.js';
import { ValidationError } from '../errors/index.js';
import type { Invitation } from './invitation.js';
import { InvitationsService } from './invitations.service.js';
import { type Candidate, MembersService } from './members.service.js';
import { AddMemberBody, ChangeMemberBody } from './team.dto.js';
import { AddedMemberView, InvitationView, invitationView, MemberView, memberView } from './team.view.js';

@ApiTags('teams')
@Controller('v1/teams/:id')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
  ) {}

  @Get('members')
  @RequireScope('teams:read')
  @ApiOperation({ summary: 'List the members of a team' })
  @ApiPage(MemberView, 'Members.')
  async list(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() query: PageQuery,
  ): Promise<Page<MemberView>> {
    const { items, total } = await this.members.list(principal, id, idPlace(query));
    return page(query, {
      rows: items,
      total,
      cursorOf: ({ user }) => [user.id],
      toItem: ({ user, membership }) => memberView(user, membership),
    });
  }

  /**
   * Invites a person to the team. The response does not show whether the email address has an account. The person
   * accepts the invitation by the link in the response or, with an account, in the dashboard. The link is shown once,
   * works once and expires after seven days.
   */
  @Post('members')
  @RequireScope('teams:write')
  @Idempotent<MembersController, AddedMemberView>({
    render: async (controller, { principal, request, response, resource }) =>
      controller.invited(
        await controller.invitations.read(principal, String(request.params['id']), resource.id),
        response,
      ),
    withoutSecrets: ({ member, invitation }) => ({
      member,
      invitation: Object.assign({}, invitation, { url: undefined }),
    }),
  })
  @ApiOperation({ summary: 'Invite a member to a team' })
  @ApiAnswers(
    { 201: { description: 'The invitation.', type: AddedMemberView, headers: LOCATION_HEADER } },
    409,
  )
  async add(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Body() body: AddMemberBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AddedMemberView> {
    const { invitation, url } = await this.members.invite(principal, id, candidateOf(body), body.role);
    const { member } = this.invited(invitation, response);
    return { member, invitation: Object.assign(invitationView(invitation), { url }) };
  }

  /** Changes a person's role in the team. The new rights apply to the person's keys within a second. */
  @Patch('members/:user_id')
  @RequireScope('teams:write')
  @ApiOperation({ summary: 'Change the role of a member' })
  @ApiAnswers({ 200: { description: 'The changed member.', type: MemberView } }, 409)
  async change(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @IdParam('user_id') userId: string,
    @Body() { role }: ChangeMemberBody,
  ): Promise<MemberView> {
    const { user, membership } = await this.members.change(principal, id, userId, role);
    return memberView(user, membership);
  }

  /**
   * Removes a person from the team (scope `teams:write`). With your own id, you leave the team (scope `users:write`).
   * The person's keys in the team are deleted.
   */
  @Delete('members/:user_id')
  @HttpCode(204)
  @Authenticated()
  @ApiOperation({ summary: 'Remove a member from a team' })
  @ApiAnswers({ 204: { description: 'The membership is removed.' } }, 409)
  async remove(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @IdParam('user_id') userId: string,
  ): Promise<void> {
    await this.members.remove(principal, id, userId);
  }

  /** Lists the invitations that can still be accepted. */
  @Get('invitations')
  @RequireScope('teams:read')
  @ApiOperation({ summary: 'List the open invitations of a team', operationId: 'listInvitations' })
  @ApiPage(InvitationView, 'Invitations.')
  async openInvitations(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @Query() query: PageQuery,
  ): Promise<Page<InvitationView>> {
    const { items, total } = await this.invitations.list(principal, id, idPlace(query));
    return page(query, { rows: items, total, cursorOf: (one) => [one.id], toItem: invitationView });
  }

  @Delete('invitations/:invitation_id')
  @HttpCode(204)
  @RequireScope('teams:write')
  @ApiOperation({ summary: 'Revoke an invitation', operationId: 'withdrawInvitation' })
  @ApiAnswers({ 204: { description: 'The invitation is revoked.' } })
  async takeBack(
    @CurrentPrincipal() principal: Principal,
    @IdParam() id: string,
    @IdParam('invitation_id') invitationId: string,
  ): Promise<void> {
    await this.invitations.delete(principal, id, invitationId);
  }

  private invited(invitation: Invitation, response: Response): AddedMemberView {
    const location = `/v1/teams/${invitation.teamId}/invitations`;
    response.set({ Location: location, 'Cache-Control': 'no-store' });
    return { member: null, invitation: invitationView(invitation) };
  }
}

function candidateOf({ email, user_id: userId }: AddMemberBody): Candidate {
  if (email !== undefined && userId === undefined) return { email };
  if (userId !== undefined && email === undefined) return { userId: userId.toLowerCase() };
  throw ValidationError.of('email', 'one_of', 'is required unless user_id is set: set exactly one of them');
}
