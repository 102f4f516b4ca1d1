import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import {
  DIALECT,
  type Dialect,
  EntityRows,
  insertStatement,
  type Statement,
  updateStatement,
} from '../storage/index.js';
import { type IdPlace, pageById, type PageRows } from '../pages/index.js';
import { ProjectEntity } from './project.entity.js';

@Injectable()
export class ProjectsRepository {
  private readonly rows: EntityRows<ProjectEntity>;

  constructor(
    @InjectRepository(ProjectEntity) private readonly projects: Repository<ProjectEntity>,
    @Inject(DIALECT) dialect: Dialect,
  ) {
    this.rows = new EntityRows(projects.manager.dataSource, dialect, ProjectEntity);
  }

  findById(id: string): Promise<ProjectEntity | null> {
    return this.live().andWhere('project.id = :id', { id }).getOne();
  }

  /** Returns which of the given ids belong to projects that are not deleted. */
  async findLiveIds(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.live()
      .select('project.id')
      .andWhere('project.id IN (:...ids)', { ids })
      .getMany();
    return new Set(rows.map(({ id }) => id));
  }

  findOfTeam(teamId: string): Promise<readonly ProjectEntity[]> {
    return this.rows.find('team_id IN (?) AND deleted_at IS NULL ORDER BY created_at, id', [teamId]);
  }

  /** @param reach the team, and the only visible project; null if all projects are visible */
  async list(
    { teamId, projectId }: { readonly teamId: string; readonly projectId: string | null },
    place: IdPlace,
  ): Promise<PageRows<ProjectEntity>> {
    const query = this.live().andWhere('project.teamId = :teamId', { teamId });
    if (projectId !== null) query.andWhere('project.id = :projectId', { projectId });
    return pageById(query, place);
  }

  /** Returns the ids of the projects of a team that are not deleted. The team itself may be deleted. */
  async idsOfTeam(teamId: string): Promise<readonly string[]> {
    const projects = await this.live()
      .select('project.id')
      .andWhere('project.teamId = :teamId', { teamId })
      .getMany();
    return projects.map(({ id }) => id);
  }

  /** Changes a project. The commit fails if the project's time of last change is no longer `readUpdatedAt`. */
  update(
    { id, name, description, updatedAt }: Omit<ProjectEntity, 'teamId' | 'createdAt' | 'deletedAt'>,
    readUpdatedAt: string,
    orFail: () => Error,
  ): Statement {
    return updateStatement(
      this.projects,
      { name, description, updatedAt },
      { id, deletedAt: null, updatedAt: readUpdatedAt },
      { orFail },
    );
  }

  /** Makes a commit fail if the project has been deleted. */
  requireLive({ id, teamId }: Pick<ProjectEntity, 'id' | 'teamId'>, orFail: () => Error): Statement {
    return updateStatement(this.projects, { teamId }, ['id = :id AND deleted_at IS NULL', { id }], {
      orFail,
    });
  }

  /**
   * Marks a project as deleted.
   *
   * @param orFail returns the error of the commit if the project is the only one of its team
   */
  markDeleted(
    { id, teamId }: Pick<ProjectEntity, 'id' | 'teamId'>,
    now: string,
    orFail: () => Error,
  ): Statement {
    return updateStatement(
      this.projects,
      { deletedAt: now, updatedAt: now },
      [
        'id = :id AND EXISTS (SELECT 1 FROM projects o WHERE o.team_id = :teamId AND o.id <> :id AND o.deleted_at IS NULL)',
        { id, teamId },
      ],
      { orFail },
    );
  }

  insert(project: ProjectEntity): Statement {
    return insertStatement(this.projects, project);
  }

  private live(): SelectQueryBuilder<ProjectEntity> {
    return this.projects.createQueryBuilder('project').where('project.deletedAt IS NULL');
  }
}
