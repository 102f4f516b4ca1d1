import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../access/index.js';
import { ApiAnswers } from '../http/index.js';
import { RequestAddress } from './request-address.js';
import { SetUpBody, SetUpView } from './set-up.dto.js';
import { SetUpService } from './set-up.service.js';
import { SignInAnswers } from './sign-in/sign-in.answers.js';
import { SignedInView } from './sign-in/sign-in.view.js';
import { COOKIE_HEADER } from './sign-in/sign-ins.controller.js';

@ApiTags('auth')
@Controller('v1/auth/set-up')
export class SetUpController {
  constructor(
    private readonly setUp: SetUpService,
    private readonly answers: SignInAnswers,
    private readonly address: RequestAddress,
  ) {}

  /** Returns whether the service has no user yet. */
  @Get()
  @Public()
  @ApiOperation({ summary: 'Check whether the first admin can be created' })
  @ApiAnswers({ 200: { description: '`open` is true if the service has no user yet.', type: SetUpView } })
  async read(): Promise<SetUpView> {
    return { open: await this.setUp.isOpen() };
  }

  /** Creates the first admin with the link that the service printed at start, and signs you in. */
  @Post()
  @Public()
  @ApiOperation({ summary: 'Create the first admin', operationId: 'createFirstAdmin' })
  @ApiAnswers(
    { 201: { description: 'The signed-in user.', type: SignedInView, headers: COOKIE_HEADER } },
    401,
    409,
  )
  async create(
    @Body() { token, ...newUser }: SetUpBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInView> {
    this.answers.browserOf(request);
    const signIn = await this.setUp.setUp(token, newUser, this.address.origin(request));
    return this.answers.begun(signIn, response);
  }
}
