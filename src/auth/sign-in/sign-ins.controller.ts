import { Body, Controller, Delete, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../access/index.js';
import { ApiAnswers, ApiPage, IdParam } from '../../http/index.js';
import { idPlace, type Page, page, PageQuery } from '../../pages/index.js';
import { RequestAddress } from '../request-address.js';
import { CurrentSignIn, ForSignedIn } from './current-sign-in.js';
import { PasswordChange } from './password-change.service.js';
import type { CurrentSignIn as Current } from './sign-in.js';
import { SignInAnswers } from './sign-in.answers.js';
import { ChangePasswordBody, SignInBody, SwitchTeamBody } from './sign-in.dto.js';
import { SignedInView, signInView, SignInView } from './sign-in.view.js';
import { SignInsService } from './sign-ins.service.js';

/** OpenAPI description of the headers of responses that start a sign-in. */
export const COOKIE_HEADER = {
  'Set-Cookie':
    'Two cookies, for the sign-in and for the known device. Both are HttpOnly, SameSite=Strict, valid only for this host, and Secure over https.',
};

@ApiTags('auth')
@Controller('v1/auth')
export class SignInsController {
  constructor(
    private readonly signIns: SignInsService,
    private readonly passwords: PasswordChange,
    private readonly answers: SignInAnswers,
    private readonly address: RequestAddress,
  ) {}

  /**
   * Signs in to the dashboard. After several wrong passwords, each attempt takes longer, up to eight seconds. Failed
   * attempts from other browsers do not delay a browser that has signed in to this account before.
   */
  @Post('sign-in')
  @HttpCode(200)
  @Public()
  @ApiOperation({ summary: 'Sign in', operationId: 'signIn' })
  @ApiAnswers(
    { 200: { description: 'The signed-in user.', type: SignedInView, headers: COOKIE_HEADER } },
    401,
    403,
    503,
  )
  async begin(
    @Body() body: SignInBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInView> {
    const browser = this.answers.browserOf(request);
    const signIn = await this.signIns.signIn(body, this.address.origin(request), browser);
    return this.answers.begun(signIn, response);
  }

  /** Returns the signed-in person and the CSRF token. */
  @Get('sign-in')
  @ForSignedIn()
  @ApiOperation({ summary: 'Read your current sign-in', operationId: 'readCurrentSignIn' })
  @ApiAnswers({ 200: { description: 'The signed-in user.', type: SignedInView } })
  read(
    @CurrentSignIn() current: Current,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInView> {
    return this.answers.shown(current, response);
  }

  @Post('sign-out')
  @HttpCode(204)
  @ForSignedIn('changes')
  @ApiOperation({ summary: 'Sign out', operationId: 'signOut' })
  @ApiAnswers({ 204: { description: 'The sign-in has ended.' } })
  async endCurrent(
    @CurrentSignIn() current: Current,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.signIns.end(current, current.id, this.address.origin(request));
    this.answers.ended(response);
  }

  /** Lists your active sign-ins on all devices. `current` marks the sign-in that this request uses. */
  @Get('sign-ins')
  @ForSignedIn()
  @ApiOperation({ summary: 'List your sign-ins' })
  @ApiPage(SignInView, 'Your active sign-ins.')
  async list(@CurrentSignIn() current: Current, @Query() query: PageQuery): Promise<Page<SignInView>> {
    const { items, total } = await this.signIns.list(current, idPlace(query));
    return page(query, {
      rows: items,
      total,
      cursorOf: ({ id }) => [id],
      toItem: (signIn) => signInView(signIn, current),
    });
  }

  /** Ends one of your sign-ins. */
  @Delete('sign-ins/:id')
  @HttpCode(204)
  @ForSignedIn('changes')
  @ApiOperation({ summary: 'End a sign-in' })
  @ApiAnswers({ 204: { description: 'The sign-in has ended.' } })
  async end(
    @CurrentSignIn() current: Current,
    @IdParam() id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.signIns.end(current, id, this.address.origin(request));
    if (id === current.id) this.answers.ended(response);
  }

  /** Changes your password and ends all your other sign-ins. API keys do not change. */
  @Post('password')
  @HttpCode(204)
  @ForSignedIn('changes')
  @ApiOperation({ summary: 'Change your password', operationId: 'changePassword' })
  @ApiAnswers({ 204: { description: 'The password is changed.' } }, 503)
  async changePassword(
    @CurrentSignIn() current: Current,
    @Body() { current_password, new_password }: ChangePasswordBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const passwords = { current: current_password, next: new_password };
    await this.passwords.change(current, passwords, this.address.origin(request));
    await this.answers.passwordChanged(current, response);
  }

  /** Selects another of your teams. Later requests of this sign-in act in that team. */
  @Post('team')
  @HttpCode(200)
  @ForSignedIn('changes')
  @ApiOperation({ summary: 'Switch to another team', operationId: 'switchTeam' })
  @ApiAnswers(
    {
      200: {
        description: 'The signed-in user. `team_id` is the id of the team that is now selected.',
        type: SignedInView,
      },
    },
    404,
  )
  async switchTeam(
    @CurrentSignIn() current: Current,
    @Body() { team_id }: SwitchTeamBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInView> {
    return this.answers.shown(await this.signIns.switchTeam(current, team_id.toLowerCase()), response);
  }
}
