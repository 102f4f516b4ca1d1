import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/index.js';
import { SessionAnswers } from './session-answers.js';
import { SessionEntity } from './session.entity.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([SessionEntity]), ProjectsModule],
  controllers: [SessionsController],
  providers: [SessionAnswers, SessionsRepository, SessionsService],
  exports: [SessionAnswers, SessionsService],
})
export class SessionsModule {}
