import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { AccessChanges, type AuditEvent, changeEvent, type ResourceStates } from '../audit/index.js';
import { changeTime, CLOCK, type Clock, isoTime } from '../platform/index.js';
import { type IdPlace, type PageRows } from '../pages/index.js';
import { ValidationError } from '../errors/index.js';
import { BeyondProjectError } from '../users/index.js';
import type { Project } from './project.js';
import { ProjectDeletions } from './project-deletions.js';
import { projectView } from './project.view.js';
import {
  LastProjectError,
  ProjectBusyError,
  ProjectChangedError,
  ProjectNotFoundError,
} from './projects.errors.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';

export interface ProjectChange {
  readonly name?: string;
  readonly description?: string | null;
}

/** Creates, changes and deletes projects for members of the team. */
@Injectable()
export class ProjectAdministration {
  constructor(
    private readonly projects: ProjectsService,
    private readonly repository: ProjectsRepository,
    private readonly deletions: ProjectDeletions,
    private readonly changes: AccessChanges,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws BeyondProjectError for a key bound to a project; ValidationError. */
  async create(
    principal: Principal,
    { name, description }: ProjectChange & { readonly name: string },
  ): Promise<Project> {
    if (principal.projectId !== null) throw new BeyondProjectError();
    const { project, writes } = this.projects.prepare(
      principal.teamId,
      checkedName(name),
      description ?? null,
    );
    const event = eventOf('project.created', { after: project });
    await this.changes.commit(principal, event, writes, project.id);
    return project;
  }

  list({ teamId, projectId }: Principal, place: IdPlace): Promise<PageRows<Project>> {
    return this.repository.list({ teamId, projectId }, place);
  }

  /** @throws ProjectNotFoundError; ProjectOutOfReachError. */
  read(principal: Principal, id: string): Promise<Project> {
    return this.projects.reach(principal, id);
  }

  /** @throws ProjectNotFoundError; ProjectOutOfReachError; ValidationError; ProjectChangedError. */
  async change(principal: Principal, id: string, change: ProjectChange): Promise<Project> {
    const project = await this.projects.reachToChange(principal, id);
    const next: Project = {
      ...project,
      name: change.name === undefined ? project.name : checkedName(change.name),
      description: change.description === undefined ? project.description : change.description,
      updatedAt: changeTime(project.updatedAt, this.clock.now()),
    };
    if (next.name === project.name && next.description === project.description) return project;
    const event = eventOf('project.updated', { before: project, after: next });
    await this.changes.commit(principal, event, [
      this.repository.update(next, project.updatedAt, () => new ProjectChangedError()),
    ]);
    return next;
  }

  /**
   * Deletes a project. The project and its contents become inaccessible.
   *
   * @param cancel true to cancel unfinished executions; false to refuse the deletion if the project has unfinished
   * executions
   * @throws ProjectNotFoundError; ProjectOutOfReachError; ProjectBusyError; LastProjectError.
   */
  async delete(principal: Principal, id: string, cancel: boolean): Promise<void> {
    const project = await this.projects.reachToChange(principal, id);
    const unfinished = cancel ? 0 : await this.deletions.countUnfinished(id);
    if (unfinished > 0) throw new ProjectBusyError(unfinished);
    const effect = this.deletions.effectOf([id]);
    await this.changes.commit(principal, eventOf('project.deleted', { before: project }), [
      this.repository.requireLive(project, () => new ProjectNotFoundError(id)),
      this.repository.markDeleted(project, isoTime(this.clock.now()), () => new LastProjectError()),
      ...effect.writes,
    ]);
    await effect.begin();
  }
}

function eventOf(action: `project.${string}`, states: ResourceStates<Project>): AuditEvent {
  const { id, teamId } = states.after ?? states.before;
  return { ...changeEvent({ teamId }, { action, ...states, recorded: projectView }), projectId: id };
}

function checkedName(name: string): string {
  const chosen = name.trim();
  if (chosen === '') throw ValidationError.of('name', 'is_empty', 'must not be empty');
  return chosen;
}
