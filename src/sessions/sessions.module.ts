import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/index.js';
import { SessionAnswers } from './session-answers.js';
import { SessionEntity } from './session.entity.js';
import { SessionStateChangeEntity } from './session-state-change.entity.js';
import { SessionStates } from './session-states.js';
import { SessionStatesRepository } from './session-states.repository.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([SessionEntity, SessionStateChangeEntity]), ProjectsModule],
  controllers: [SessionsController],
  providers: [SessionAnswers, SessionsRepository, SessionsService, SessionStates, SessionStatesRepository],
  exports: [SessionsService, SessionStates],
})
export class SessionsModule {}
