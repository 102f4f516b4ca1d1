import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { type IdPlace, likeText, pageById, type PageRows, withText } from '../pages/index.js';
import {
  DIALECT,
  type Dialect,
  EntityRows,
  insertStatement,
  marksOf,
  type Statement,
  updateStatement,
} from '../storage/index.js';
import { withDefaults, type Workflow, type WorkflowStatus, type WorkflowVersion } from './workflow.js';
import { WorkflowEntity, WorkflowVersionEntity } from './workflow.entity.js';

export interface WorkflowFilter {
  readonly projectIds: readonly string[];
  readonly status?: WorkflowStatus;
  readonly tag?: string;
  /** Search text: a part of the name, description or a tag, or a prefix of the id or of its last eight characters. */
  readonly q?: string;
}

@Injectable()
export class WorkflowsRepository {
  private readonly rows: EntityRows<WorkflowEntity>;

  constructor(
    @InjectRepository(WorkflowEntity) private readonly workflows: Repository<WorkflowEntity>,
    @InjectRepository(WorkflowVersionEntity)
    private readonly versionRows: Repository<WorkflowVersionEntity>,
    @Inject(DIALECT) dialect: Dialect,
  ) {
    this.rows = new EntityRows(workflows.manager.dataSource, dialect, WorkflowEntity);
  }

  async find(id: string): Promise<Workflow | undefined> {
    const entity = await this.present('w').andWhere('w.id = :id', { id }).getOne();
    return entity === null ? undefined : toWorkflow(entity);
  }

  /** Returns the workflows with the given ids, by id. Deleted workflows are absent. */
  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, Workflow>> {
    const entities = await this.rows.find(`id IN (${marksOf(ids)}) AND deleted_at IS NULL`, ids);
    return new Map(entities.map((entity) => [entity.id, toWorkflow(entity)]));
  }

  async list(filter: WorkflowFilter, place: IdPlace): Promise<PageRows<Workflow>> {
    if (filter.projectIds.length === 0) return { items: [], total: 0 };
    const query = this.present('w').andWhere('w.projectId IN (:...projectIds)', {
      projectIds: filter.projectIds,
    });
    if (filter.status === undefined) query.andWhere("w.status <> 'archived'");
    else query.andWhere('w.status = :status', { status: filter.status });
    // Tags are matched with REPLACE instead of LIKE, because LIKE ignores case on SQLite but not on PostgreSQL.
    if (filter.tag !== undefined)
      query.andWhere("REPLACE(w.tags, :tag, '') <> w.tags", { tag: `|${filter.tag}|` });
    withText(query, filter.q, ['name', 'description', 'tags']);
    const { items, total } = await pageById(query, place);
    return { items: items.map(toWorkflow), total };
  }

  /** Returns the active workflows of a project whose definition contains a text. */
  async activeMentioning(projectId: string, text: string): Promise<readonly Workflow[]> {
    const entities = await this.present('w')
      .andWhere("w.projectId = :projectId AND w.status = 'active'", { projectId })
      .andWhere("CAST(w.definition AS text) LIKE :text ESCAPE '\\'", { text: `%${likeText(text)}%` })
      .orderBy('w.id')
      .getMany();
    return entities.map(toWorkflow);
  }

  async version(workflowId: string, version: number): Promise<WorkflowVersion | undefined> {
    const entity = await this.versionRows
      .createQueryBuilder('v')
      .where('v.workflowId = :workflowId AND v.version = :version', { workflowId, version })
      .getOne();
    return entity === null ? undefined : toVersion(entity);
  }

  async versions(workflowId: string, place: IdPlace<number>): Promise<PageRows<WorkflowVersion>> {
    const query = this.versionRows
      .createQueryBuilder('v')
      .where('v.workflowId = :workflowId', { workflowId });
    const { items, total } = await pageById(query, place, { column: 'version' });
    return { items: items.map(toVersion), total };
  }

  /** Returns the name of a workflow. Deleted workflows are also found, because their executions remain. */
  async nameOf(id: string): Promise<string | undefined> {
    const entity = await this.workflows
      .createQueryBuilder('w')
      .select(['w.id', 'w.name'])
      .where('w.id = :id', { id })
      .getOne();
    return entity?.name;
  }

  insertion(workflow: Workflow): Statement {
    return insertStatement(this.workflows, toEntity(workflow));
  }

  versionInsertion(version: WorkflowVersion): Statement {
    return insertStatement(this.versionRows, version);
  }

  replacement(workflow: Workflow, revision: number, orFail: () => Error): Statement {
    const { id, createdAt: _, ...entity } = toEntity(workflow);
    return updateStatement(this.workflows, entity, { id, revision, deletedAt: null }, { orFail });
  }

  deletion(id: string, revision: number, at: string, orFail: () => Error): Statement {
    return updateStatement(this.workflows, { deletedAt: at }, { id, revision, deletedAt: null }, { orFail });
  }

  private present(alias: string): SelectQueryBuilder<WorkflowEntity> {
    return this.workflows.createQueryBuilder(alias).where(`${alias}.deletedAt IS NULL`);
  }
}

function toWorkflow({ tags, deletedAt: _, ...entity }: WorkflowEntity): Workflow {
  return {
    ...entity,
    definition: withDefaults(entity.definition),
    tags: tags.split('|').filter((tag) => tag !== ''),
  };
}

function toVersion({ ...version }: WorkflowVersionEntity): WorkflowVersion {
  return { ...version, definition: withDefaults(version.definition) };
}

function toEntity({ tags, ...workflow }: Workflow): WorkflowEntity {
  return { ...workflow, tags: tags.length === 0 ? '' : `|${tags.join('|')}|`, deletedAt: null };
}
