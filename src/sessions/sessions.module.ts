import { SessionAnswers } from './session-answers.js';
import { SessionExecutions } from './session-executions.js';
import { ExecutionStoreModule } from '../execution-store/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { StorageModule } from '../storage/index.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/index.js';
import { SessionEntity } from './session.entity.js';
import { SessionStateChangeEntity } from './session-state-change.entity.js';
import { SessionStates } from './session-states.js';
import { SessionStatesRepository } from './session-states.repository.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([SessionEntity, SessionStateChangeEntity]),
    ProjectsModule,
    ExecutionStoreModule,
    IdempotencyModule,
    StorageModule,
  ],
  controllers: [SessionsController],
  providers: [
    SessionAnswers,
    SessionExecutions,
    SessionsRepository,
    SessionsService,
    SessionStates,
    SessionStatesRepository,
  ],
  exports: [SessionsService, SessionStates],
})
export class SessionsModule {}
