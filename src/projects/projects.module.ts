import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { NewTeamContents } from '../teams/index.js';
import { FirstProject } from './new-team-contents.adapter.js';
import { ProjectAdministration } from './project-administration.service.js';
import { ProjectEntity } from './project.entity.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';

/** Global, since teams, who stand below, ask it what they begin with through a port of theirs. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ProjectEntity]), AuditModule],
  controllers: [ProjectsController],
  providers: [
    ProjectAdministration,
    ProjectsRepository,
    ProjectsService,
    { provide: NewTeamContents, useClass: FirstProject },
  ],
  exports: [NewTeamContents, ProjectsService],
})
export class ProjectsModule {}
