import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { TeamContents } from '../teams/index.js';
import { ProjectsOfTeams } from './team-contents.adapter.js';
import { ProjectDeletions } from './project-deletions.js';
import { ProjectAdministration } from './project-administration.service.js';
import { ProjectEntity } from './project.entity.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';

/** Global, since teams, who stand below, ask it what is in them through a port of theirs. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ProjectEntity]), AuditModule],
  controllers: [ProjectsController],
  providers: [
    ProjectAdministration,
    ProjectDeletions,
    ProjectsRepository,
    ProjectsService,
    { provide: TeamContents, useClass: ProjectsOfTeams },
  ],
  exports: [ProjectDeletions, ProjectsService, TeamContents],
})
export class ProjectsModule {}
