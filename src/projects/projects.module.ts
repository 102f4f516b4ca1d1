import { AccessModule } from '../access/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { StorageModule } from '../storage/index.js';
import { TeamsModule } from '../teams/index.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { ProjectsOfTeams } from './team-contents.adapter.js';
import { ProjectDeletions } from './project-deletions.js';
import { ProjectAdministration } from './project-administration.service.js';
import { ProjectEntity } from './project.entity.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ProjectEntity]),
    AuditModule,
    AccessModule,
    IdempotencyModule,
    StorageModule,
    TeamsModule,
  ],
  controllers: [ProjectsController],
  providers: [ProjectsOfTeams, ProjectAdministration, ProjectDeletions, ProjectsRepository, ProjectsService],
  exports: [ProjectDeletions, ProjectsService],
})
export class ProjectsModule {}
