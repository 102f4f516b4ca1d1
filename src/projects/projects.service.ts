import { Inject, Injectable } from '@nestjs/common';
import { AccessEpoch, EpochCache, type Principal, reachesProject } from '../access/index.js';
import { CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import type { Write } from '../storage/index.js';
import type { Project } from './project.js';
import type { ProjectEntity } from './project.entity.js';
import { ProjectNotFoundError, ProjectOutOfReachError } from './projects.errors.js';
import { ProjectsRepository } from './projects.repository.js';

export interface PreparedProject {
  readonly project: Project;
  readonly writes: readonly Write[];
}

const CACHED_PROJECTS = 10_000;

@Injectable()
export class ProjectsService {
  private readonly cache: EpochCache<Project>;

  constructor(
    private readonly repository: ProjectsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    epoch: AccessEpoch,
  ) {
    this.cache = new EpochCache(epoch, CACHED_PROJECTS);
  }

  /**
   * Returns a project by id, or null. Projects are cached, because every request about the contents of a project needs
   * the project.
   */
  async find(id: string): Promise<Project | null> {
    const known = this.cache.peek(id);
    if (known !== undefined) return known;
    return this.cache.get(id, async () => {
      const row = await this.repository.findById(id);
      return row === null ? null : projectOf(row);
    });
  }

  existing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.repository.findLiveIds(ids);
  }

  /**
   * Returns a project that the principal may access.
   *
   * @throws ProjectNotFoundError when no project has the id.
   * @throws ProjectOutOfReachError when the project belongs to another team, or the key is bound to another project.
   */
  async reach(principal: Principal, id: string): Promise<Project> {
    const project = await this.find(id);
    if (project === null) throw new ProjectNotFoundError(id);
    if (!reachesProject(principal, project)) throw new ProjectOutOfReachError(id);
    return project;
  }

  /**
   * Returns a project that the principal wants to change. The project is read from the database, not from the cache,
   * because a change must see the latest writes of other processes.
   *
   * @throws ProjectNotFoundError; ProjectOutOfReachError.
   */
  async reachToChange(principal: Principal, id: string): Promise<Project> {
    await this.reach(principal, id);
    const row = await this.repository.findById(id);
    if (row === null) throw new ProjectNotFoundError(id);
    return projectOf(row);
  }

  /**
   * Returns the project in which a new resource is created: the requested project, otherwise the project of the key,
   * otherwise the oldest project of the team.
   *
   * @throws ProjectNotFoundError when no project has the id, or the team has no project.
   * @throws ProjectOutOfReachError when the principal may not access the project.
   */
  async resolve(principal: Principal, requestedId: string | undefined): Promise<Project> {
    const id = requestedId ?? principal.projectId;
    if (id !== null) return this.reach(principal, id);
    const [oldest] = await this.repository.findOfTeam(principal.teamId);
    if (oldest === undefined) throw new ProjectNotFoundError();
    return projectOf(oldest);
  }

  /** Returns all projects that the principal may access, sorted from oldest to newest. */
  async reachable(principal: Principal): Promise<readonly Project[]> {
    const rows = await this.repository.findOfTeam(principal.teamId);
    return rows.filter((row) => reachesProject(principal, row)).map(projectOf);
  }

  /**
   * Returns the ids of the projects whose resources a list contains: the requested project, or all projects that the
   * principal may access.
   *
   * @throws ProjectNotFoundError when no project has the requested id; ProjectOutOfReachError when the principal may
   * not access the requested project.
   */
  async idsWithin(principal: Principal, requestedId: string | undefined): Promise<readonly string[]> {
    const projects =
      requestedId === undefined
        ? await this.reachable(principal)
        : [await this.reach(principal, requestedId)];
    return projects.map(({ id }) => id);
  }

  /** Prepares a new project. The caller must commit the returned writes. */
  prepare(teamId: string, name: string, description: string | null = null): PreparedProject {
    const now = isoTime(this.clock.now());
    const row: ProjectEntity = {
      id: newId(),
      teamId,
      name,
      description,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    };
    return { project: projectOf(row), writes: [this.repository.insert(row)] };
  }
}

function projectOf({ id, teamId, name, description, createdAt, updatedAt }: ProjectEntity): Project {
  return { id, teamId, name, description, createdAt, updatedAt };
}
