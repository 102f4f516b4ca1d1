import { AccessModule } from '../access/index.js';
import { StorageModule } from '../storage/index.js';
import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { KeysModule } from '../keys/index.js';
import { ProjectsModule } from '../projects/index.js';
import { RateLimitsModule } from '../rate-limits/index.js';
import { TeamsModule } from '../teams/index.js';
import { UsersModule } from '../users/index.js';
import { BearerStrategy } from './bearer.strategy.js';
import { FirstAdminService } from './first-admin.service.js';
import { InstallationEntity } from './installation.entity.js';
import { InstallationRepository } from './installation.repository.js';
import { InvitationAcceptance } from './invitation-acceptance.service.js';
import { InvitationAcceptancesController } from './invitation-acceptances.controller.js';
import { KeyAuthenticator } from './key-authenticator.js';
import { OwnInvitationsController } from './own-invitations.controller.js';
import { OwnInvitations } from './own-invitations.service.js';
import { RefusalLog } from './refusals/refusal-log.js';
import { RequestRefusals } from './refusals/request-refusals.js';
import { RequestAddress } from './request-address.js';
import { RouteAccessCheck } from './route-access.check.js';
import { SetUpController } from './set-up.controller.js';
import { SetUpLinkEntity } from './set-up-link.entity.js';
import { SetUpLinkRepository } from './set-up-link.repository.js';
import { SetUpLinkService } from './set-up-link.service.js';
import { SetUpService } from './set-up.service.js';
import { DashboardAuthenticator } from './sign-in/dashboard-authenticator.js';
import { KnownDevices } from './sign-in/known-devices.js';
import { PasswordChange } from './sign-in/password-change.service.js';
import { PasswordCheck } from './sign-in/password-check.js';
import { SignInAnswers } from './sign-in/sign-in.answers.js';
import { SignInCookie } from './sign-in/sign-in-cookie.js';
import { SignInEntity } from './sign-in/sign-in.entity.js';
import { SignInMaker } from './sign-in/sign-in.maker.js';
import { SignInRights } from './sign-in/sign-in-rights.js';
import { SignInsController } from './sign-in/sign-ins.controller.js';
import { SignInsRepository } from './sign-in/sign-ins.repository.js';
import { SignInsService } from './sign-in/sign-ins.service.js';
import { ViewTokens } from './view-tokens/view-tokens.js';

const SET_UP = [
  FirstAdminService,
  InstallationRepository,
  SetUpLinkRepository,
  SetUpLinkService,
  SetUpService,
];
const SIGN_IN = [
  DashboardAuthenticator,
  InvitationAcceptance,
  KnownDevices,
  OwnInvitations,
  PasswordChange,
  PasswordCheck,
  SignInAnswers,
  SignInCookie,
  SignInMaker,
  SignInRights,
  SignInsRepository,
  SignInsService,
];

@Module({
  imports: [
    TypeOrmModule.forFeature([InstallationEntity, SetUpLinkEntity, SignInEntity]),
    DiscoveryModule,
    AuditModule,
    RateLimitsModule,
    UsersModule,
    TeamsModule,
    ProjectsModule,
    KeysModule,
    AccessModule,
    StorageModule,
  ],
  controllers: [
    SetUpController,
    SignInsController,
    InvitationAcceptancesController,
    OwnInvitationsController,
  ],
  providers: [
    BearerStrategy,
    KeyAuthenticator,
    RefusalLog,
    RequestAddress,
    RequestRefusals,
    RouteAccessCheck,
    ViewTokens,
    ...SET_UP,
    ...SIGN_IN,
  ],
  exports: [
    DashboardAuthenticator,
    FirstAdminService,
    KeyAuthenticator,
    RefusalLog,
    RequestAddress,
    RequestRefusals,
    SetUpLinkService,
    ViewTokens,
  ],
})
export class AuthModule {}
