import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { type Statement, statementOf } from '../platform/index.js';
import { ProjectEntity } from './project.entity.js';

@Injectable()
export class ProjectsRepository {
  constructor(@InjectRepository(ProjectEntity) private readonly projects: Repository<ProjectEntity>) {}

  findById(id: string): Promise<ProjectEntity | null> {
    return this.live().andWhere('project.id = :id', { id }).getOne();
  }

  /** The projects of a team, oldest first. */
  findOfTeam(teamId: string): Promise<readonly ProjectEntity[]> {
    return this.live()
      .andWhere('project.teamId = :teamId', { teamId })
      .orderBy('project.createdAt', 'ASC')
      .addOrderBy('project.id', 'ASC')
      .getMany();
  }

  insert(project: ProjectEntity): Statement {
    return statementOf(this.projects.createQueryBuilder().insert().values(project));
  }

  private live(): SelectQueryBuilder<ProjectEntity> {
    return this.projects.createQueryBuilder('project').where('project.deletedAt IS NULL');
  }
}
