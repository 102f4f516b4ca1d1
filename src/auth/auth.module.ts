import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KeysModule } from '../keys/index.js';
import { ProjectsModule } from '../projects/index.js';
import { TeamsModule } from '../teams/index.js';
import { UsersModule } from '../users/index.js';
import { BearerStrategy } from './bearer.strategy.js';
import { ExternalIdentityEntity } from './external-identity.entity.js';
import { FirstAdminService } from './first-admin.service.js';
import { InstallationEntity } from './installation.entity.js';
import { InstallationRepository } from './installation.repository.js';
import { KeyAuthenticator } from './key-authenticator.js';
import { RouteAccessCheck } from './route-access.check.js';
import { SetUpLinkEntity } from './set-up-link.entity.js';
import { SetUpLinkRepository } from './set-up-link.repository.js';
import { SetUpLinkService } from './set-up-link.service.js';
import { SignInEntity } from './sign-in.entity.js';
import { UsedTokenEntity } from './used-token.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      InstallationEntity,
      SetUpLinkEntity,
      SignInEntity,
      ExternalIdentityEntity,
      UsedTokenEntity,
    ]),
    DiscoveryModule,
    UsersModule,
    TeamsModule,
    ProjectsModule,
    KeysModule,
  ],
  providers: [
    BearerStrategy,
    FirstAdminService,
    InstallationRepository,
    KeyAuthenticator,
    RouteAccessCheck,
    SetUpLinkRepository,
    SetUpLinkService,
  ],
  exports: [FirstAdminService, KeyAuthenticator, SetUpLinkService],
})
export class AuthModule {}
