import { Body, Controller, Get, type INestApplication, Module, Post, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  AccessEpochEntity,
  AccessModule,
  Authenticated,
  CurrentPrincipal,
  type Principal,
  Public,
  RequireScope,
} from '../../src/access/index.js';
import { AuditEntryEntity, AuditSealEntity } from '../../src/audit/index.js';
import {
  AuthModule,
  BearerGuard,
  ScopeGuard,
  InstallationEntity,
  SetUpLinkEntity,
  SignInEntity,
} from '../../src/auth/index.js';
import {
  ExternalIdentityEntity,
  TokenExchangeModule,
  UsedTokenEntity,
} from '../../src/token-exchange/index.js';
import { ApiKeyEntity, KeysModule } from '../../src/keys/index.js';
import { CLOCK, type Clock, ClockModule } from '../../src/platform/index.js';
import { ConfigModule, type DatabaseSettings, readSettings } from '../../src/settings/index.js';
import { DatabaseModule } from '../../src/storage/index.js';
import { IdempotencyEntity, IdempotencyModule } from '../../src/idempotency/index.js';
import { ErrorFilter } from '../../src/http/errors/error.filter.js';
import { HttpAdapter } from '../../src/http/index.js';
import { ProjectEntity, ProjectsModule } from '../../src/projects/index.js';
import { InvitationEntity, TeamEntity, TeamMemberEntity, TeamsModule } from '../../src/teams/index.js';
import { UserEntity, UsersModule } from '../../src/users/index.js';

/** Database entities that the application from `startAccessApplication` needs. */
export const ACCESS_ENTITIES = [
  AccessEpochEntity,
  AuditEntryEntity,
  AuditSealEntity,
  IdempotencyEntity,
  UserEntity,
  TeamEntity,
  TeamMemberEntity,
  InvitationEntity,
  ProjectEntity,
  ApiKeyEntity,
  InstallationEntity,
  SetUpLinkEntity,
  SignInEntity,
  ExternalIdentityEntity,
  UsedTokenEntity,
];

/** A controller with one route for each kind of access: public, signed in, and with a scope. */
@Controller('probe')
export class ProbeController {
  @Public()
  @Get('public')
  open(): object {
    return {};
  }

  @Authenticated()
  @Get('principal')
  whoCalls(@CurrentPrincipal() principal: Principal): Principal {
    return principal;
  }

  @Authenticated()
  @Post('body')
  take(@Body() body: object): object {
    return body;
  }

  @RequireScope('workflows:write')
  @Get('write')
  write(): object {
    return {};
  }
}

/** Starts a service with the modules for access control only. The service has no workflows. */
export async function startAccessApplication(options: {
  readonly database: DatabaseSettings;
  readonly clock: Clock;
  readonly environment?: Readonly<Record<string, string>>;
  readonly controllers?: readonly Type[];
}): Promise<INestApplication> {
  const url =
    options.database.dialect === 'sqlite' ? `sqlite://${options.database.path}` : options.database.url;
  @Module({
    imports: [
      ConfigModule.forRoot(readSettings({ DATABASE_URL: url, NODE_ENV: 'test', ...options.environment })),
      ClockModule,
      DatabaseModule.forRoot({ entities: ACCESS_ENTITIES, migrations: [] }),
      IdempotencyModule,
      AccessModule,
      UsersModule,
      TeamsModule,
      ProjectsModule,
      KeysModule,
      AuthModule,
      TokenExchangeModule,
    ],
    controllers: [...(options.controllers ?? [ProbeController])],
    providers: [
      { provide: APP_GUARD, useClass: BearerGuard },
      { provide: APP_GUARD, useClass: ScopeGuard },
      { provide: APP_FILTER, useFactory: () => new ErrorFilter() },
    ],
  })
  class AccessApplication {}
  const testing = await Test.createTestingModule({ imports: [AccessApplication] })
    .overrideProvider(CLOCK)
    .useValue(options.clock)
    .compile();
  const application = testing.createNestApplication(new HttpAdapter(), { logger: false });
  try {
    await application.listen(0, '127.0.0.1');
  } catch (error) {
    await application.close();
    throw error;
  }
  return application;
}
