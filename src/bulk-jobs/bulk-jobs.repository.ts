import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { InstanceRegistry } from '../instances/index.js';
import { type IdPlace, pageById, type PageRows } from '../pages/index.js';
import { type BulkFilter, filterFromJson, filterToJson } from '../executions/index.js';
import {
  deleteStatement,
  DIALECT,
  type Dialect,
  insertStatement,
  markedStatement,
  type Statement,
  updateStatement,
  Writer,
} from '../storage/index.js';
import { BulkJobEntity } from './bulk-job.entity.js';
import type { BulkJob } from './bulk-job.js';
import { BulkJobTakenError } from './bulk-jobs.errors.js';

@Injectable()
export class BulkJobsRepository {
  constructor(
    @InjectRepository(BulkJobEntity) private readonly jobs: Repository<BulkJobEntity>,
    @Inject(DIALECT) private readonly dialect: Dialect,
    @Inject(InstanceRegistry) private readonly instance: Pick<InstanceRegistry, 'id'>,
    private readonly writer: Writer,
  ) {}

  async find(id: string): Promise<BulkJob | undefined> {
    const row = await this.jobs.createQueryBuilder('j').where('j.id = :id', { id }).getOne();
    return row === null ? undefined : jobOf(row);
  }

  /**
   * @param projectId null lists the jobs of all projects
   */
  async list(teamId: string, projectId: string | null, place: IdPlace): Promise<PageRows<BulkJob>> {
    const query = this.jobs.createQueryBuilder('j').where('j.teamId = :teamId', { teamId });
    if (projectId !== null) query.andWhere('j.projectId = :projectId', { projectId });
    const { items, total } = await pageById(query, place);
    return { items: items.map(jobOf), total };
  }

  countRunning(teamId: string): Promise<number> {
    return this.jobs
      .createQueryBuilder('j')
      .where(`j.teamId = :teamId AND j.status = 'running'`, { teamId })
      .getCount();
  }

  insertion(job: BulkJob): Statement {
    return insertStatement(this.jobs, { ...job, filter: filterToJson(job.filter) });
  }

  /** Updates a running bulk job. The commit fails if the job has a newer revision or is no longer running. */
  change(
    { id, revision }: BulkJob,
    changes: Partial<Omit<BulkJob, 'filter'>>,
    orFail?: () => Error,
  ): Statement {
    return updateStatement(
      this.jobs,
      { ...changes, revision: revision + 1 },
      [`id = :id AND revision = :revision AND status = 'running'`, { id, revision }],
      { orFail: orFail ?? ((): Error => new BulkJobTakenError()) },
    );
  }

  /**
   * Makes this process the owner of running jobs whose process has died.
   * @returns every running job that this process owns
   */
  async adopt(): Promise<readonly BulkJob[]> {
    const left = `status = 'running' AND (owner IS NULL OR owner NOT IN (SELECT id FROM instances))`;
    const found = await this.jobs.createQueryBuilder('j').where(`j.status = 'running'`).getMany();
    if (found.length === 0) return [];
    if (found.some(({ owner }) => owner !== this.instance.id))
      await this.writer.commit({
        writes: [
          markedStatement(
            this.dialect,
            `UPDATE bulk_jobs SET owner = ?, revision = revision + 1 WHERE ${left}`,
            [this.instance.id],
          ),
        ],
      });
    const own = await this.jobs
      .createQueryBuilder('j')
      .where(`j.status = 'running' AND j.owner = :owner`, { owner: this.instance.id })
      .getMany();
    return own.map(jobOf);
  }

  /** Removes this process as the owner of its running jobs, so that other processes can take the jobs over. */
  release(): Statement {
    return markedStatement(
      this.dialect,
      `UPDATE bulk_jobs SET owner = NULL, revision = revision + 1 WHERE status = 'running' AND owner = ?`,
      [this.instance.id],
    );
  }

  /**
   * @param before ISO 8601
   */
  deletionBefore(before: string): Statement {
    return deleteStatement(this.jobs, ['finished_at < :before', { before }]);
  }
}

function jobOf({ filter, ...row }: BulkJobEntity): BulkJob {
  const parsed: BulkFilter = filterFromJson(filter);
  return { ...row, filter: parsed };
}
