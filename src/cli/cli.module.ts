import { type DynamicModule, Module } from '@nestjs/common';
import { AccessModule } from '../access/index.js';
import { ExecutionVerification } from '../execution-store/index.js';
import { JournalRepository } from '../journal/index.js';
import { AuthModule } from '../auth/index.js';
import { KeysModule } from '../keys/index.js';
import { ClockModule } from '../platform/index.js';
import { ConfigModule, type Settings } from '../settings/index.js';
import { DatabaseModule, StorageModule } from '../storage/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { MIGRATIONS } from '../../migrations/index.js';
import { SecretStoreModule } from '../secrets/index.js';
import { TeamsModule } from '../teams/index.js';
import { TokenExchangeModule } from '../token-exchange/index.js';
import { UsersModule } from '../users/index.js';

/** The Nest modules that CLI commands need. None of these modules opens a port. */
@Module({})
export class CliModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: CliModule,
      imports: [
        ConfigModule.forRoot(settings),
        ClockModule,
        DatabaseModule.forRoot({ migrations: MIGRATIONS }),
        StorageModule,
        IdempotencyModule,
        SecretStoreModule,
        AccessModule,
        UsersModule,
        TeamsModule,
        KeysModule,
        AuthModule,
        TokenExchangeModule,
      ],
      // Provides `JournalRepository` and `ExecutionVerification` without their modules, because importing the
      // modules would also resume unfinished work at startup.
      providers: [JournalRepository, ExecutionVerification],
    };
  }
}
