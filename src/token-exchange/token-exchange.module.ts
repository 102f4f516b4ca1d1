import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../access/index.js';
import { AuditModule } from '../audit/index.js';
import { AuthModule } from '../auth/index.js';
import { KeysModule } from '../keys/index.js';
import { RateLimitsModule } from '../rate-limits/index.js';
import { StorageModule } from '../storage/index.js';
import { TeamsModule } from '../teams/index.js';
import { UsersModule } from '../users/index.js';
import { ExchangeHousekeeping } from './exchange-housekeeping.js';
import { ExternalIdentitiesRepository } from './external-identities.repository.js';
import { ExternalIdentityEntity } from './external-identity.entity.js';
import { IssuerRevocation } from './issuer-revocation.service.js';
import { JwtVerifier } from './jwt-verifier.js';
import { Subjects } from './subjects.js';
import { TokenExchange } from './token-exchange.service.js';
import { tokenIssuersProvider } from './token-issuers.js';
import { TokensController } from './tokens.controller.js';
import { UsedTokenEntity } from './used-token.entity.js';
import { UsedTokensRepository } from './used-tokens.repository.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ExternalIdentityEntity, UsedTokenEntity]),
    AccessModule,
    AuditModule,
    AuthModule,
    KeysModule,
    RateLimitsModule,
    StorageModule,
    TeamsModule,
    UsersModule,
  ],
  controllers: [TokensController],
  providers: [
    ExchangeHousekeeping,
    ExternalIdentitiesRepository,
    IssuerRevocation,
    JwtVerifier,
    Subjects,
    TokenExchange,
    tokenIssuersProvider,
    UsedTokensRepository,
  ],
  exports: [IssuerRevocation],
})
export class TokenExchangeModule {}
