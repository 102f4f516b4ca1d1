import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { ExecutionStoreModule } from '../execution-store/index.js';
import { SessionsModule } from '../sessions/index.js';
import { ViewTokensController } from './view-tokens.controller.js';
import { ViewTokensService } from './view-tokens.service.js';

/** Issues view tokens: credentials with which a browser reads one execution or session. */
@Module({
  imports: [AuthModule, ExecutionStoreModule, SessionsModule],
  controllers: [ViewTokensController],
  providers: [ViewTokensService],
})
export class ViewTokensModule {}
