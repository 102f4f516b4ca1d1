import { Inject, Injectable } from '@nestjs/common';
import type { IdPlace, PageRows } from '../pages/index.js';
import type { Principal } from '../access/index.js';
import { AuditTrail, changeEvent, type ResourceStates } from '../audit/index.js';
import { compilePlan } from '../engine/index.js';
import type { Fault } from '../expressions/index.js';
import { compileInputSchema, NodeTypeRegistry } from '../nodes/index.js';
import { Idempotency } from '../idempotency/index.js';
import { CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import { ServiceError, ValidationError } from '../errors/index.js';
import { type Write, Writer } from '../storage/index.js';
import { ProjectsService } from '../projects/index.js';
import {
  definitionOf,
  mayBecome,
  type Workflow,
  type WorkflowInput,
  type WorkflowVersion,
} from './workflow.js';
import { WorkflowExecutions } from './workflow-executions.js';
import { WorkflowHeads } from './workflow-heads.js';
import {
  StatusTransitionError,
  WorkflowArchivedError,
  WorkflowBusyError,
  WorkflowChangedError,
  WorkflowVersionNotFoundError,
} from './workflows.errors.js';
import { type WorkflowFilter, WorkflowsRepository } from './workflows.repository.js';

@Injectable()
export class WorkflowsService {
  constructor(
    private readonly repository: WorkflowsRepository,
    private readonly heads: WorkflowHeads,
    private readonly projects: ProjectsService,
    private readonly registry: NodeTypeRegistry,
    private readonly executions: WorkflowExecutions,
    private readonly audit: AuditTrail,
    private readonly writer: Writer,
    private readonly idempotency: Idempotency,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ValidationError with all errors of the definition. */
  async create(principal: Principal, projectId: string | undefined, input: WorkflowInput): Promise<Workflow> {
    const project = await this.projects.resolve(principal, projectId);
    this.refuse(this.faults(input));
    const now = isoTime(this.clock.now());
    const workflow: Workflow = {
      id: newId(),
      projectId: project.id,
      name: input.name,
      description: input.description ?? '',
      status: input.status ?? 'active',
      version: 1,
      revision: 1,
      definition: definitionOf(input),
      tags: input.tags ?? [],
      createdAt: now,
      updatedAt: now,
    };
    await this.writer.commit({
      writes: [
        ...this.idempotency.claim(workflow.id),
        this.repository.insertion(workflow),
        this.versionOf(workflow, principal),
        this.entry(principal, 'workflow.created', { after: workflow }),
      ],
    });
    return workflow;
  }

  /** @throws WorkflowNotFoundError; ProjectOutOfReachError. */
  read(principal: Principal, id: string): Promise<Workflow> {
    return this.heads.read(principal, id);
  }

  /** Returns a workflow without checking access. Callers must check access themselves. */
  find(id: string): Promise<Workflow | undefined> {
    return this.repository.find(id);
  }

  /** Returns the active workflows of a project whose definition contains a text. Does not check access. */
  activeMentioning(projectId: string, text: string): Promise<readonly Workflow[]> {
    return this.repository.activeMentioning(projectId, text);
  }

  /** Returns the id of the project for a new workflow; null if the caller cannot access the project. */
  async projectFor(principal: Principal, requestedId: string | undefined): Promise<string | null> {
    try {
      return (await this.projects.resolve(principal, requestedId)).id;
    } catch (error) {
      if (error instanceof ServiceError) return null;
      throw error;
    }
  }

  /** Returns the name of a workflow, even if the workflow was deleted. */
  nameOf(id: string): Promise<string | undefined> {
    return this.repository.nameOf(id);
  }

  async list(
    principal: Principal,
    filter: Omit<WorkflowFilter, 'projectIds'> & { readonly projectId?: string },
    place: IdPlace,
  ): Promise<PageRows<Workflow>> {
    const { projectId, ...rest } = filter;
    const projectIds = await this.projects.idsWithin(principal, projectId);
    return this.repository.list({ ...rest, projectIds }, place);
  }

  /**
   * Replaces all fields of a workflow that a client can set. A changed definition becomes a new version. Unfinished
   * executions keep their version.
   * @throws ValidationError; StatusTransitionError; WorkflowArchivedError; WorkflowChangedError.
   */
  async replace(principal: Principal, current: Workflow, input: WorkflowInput): Promise<Workflow> {
    const status = input.status ?? current.status;
    if (!mayBecome(current.status, status)) throw new StatusTransitionError(current.status, status);
    const definition = definitionOf(input);
    const isSame = JSON.stringify(definition) === JSON.stringify(current.definition);
    const next: Workflow = {
      ...current,
      name: input.name,
      description: input.description ?? '',
      status,
      tags: input.tags ?? [],
      definition,
      version: isSame ? current.version : current.version + 1,
      revision: current.revision + 1,
      updatedAt: isoTime(this.clock.now()),
    };
    if (current.status === 'archived' && !onlyStatusDiffers(current, next)) throw new WorkflowArchivedError();
    this.refuse(this.faults(input));
    const writes: Write[] = [
      this.repository.replacement(next, current.revision, () => new WorkflowChangedError()),
    ];
    if (!isSame) writes.push(this.versionOf(next, principal));
    writes.push(this.entry(principal, 'workflow.updated', { before: current, after: next }));
    await this.change(next.id, writes);
    return next;
  }

  /**
   * @param cancel true to cancel unfinished executions; false to refuse the deletion because of them
   *
   * @throws WorkflowBusyError; WorkflowChangedError.
   */
  async delete(principal: Principal, workflow: Workflow, cancel: boolean): Promise<void> {
    const { id, revision } = workflow;
    const unfinished = cancel ? 0 : await this.executions.countUnfinished(id);
    if (unfinished > 0) throw new WorkflowBusyError(unfinished);
    const cancellation = cancel ? this.executions.cancellation(id, 'The workflow was deleted.') : null;
    const deletion = this.repository.deletion(
      id,
      revision,
      isoTime(this.clock.now()),
      () => new WorkflowChangedError(),
    );
    await this.change(id, [
      deletion,
      this.entry(principal, 'workflow.deleted', { before: workflow }),
      ...(cancellation?.writes ?? []),
    ]);
    await cancellation?.begin();
  }

  /** @throws WorkflowVersionNotFoundError. */
  async version(workflow: Workflow, version: number): Promise<WorkflowVersion> {
    const found = await this.repository.version(workflow.id, version);
    if (found === undefined) throw new WorkflowVersionNotFoundError(version);
    return found;
  }

  versions(workflow: Workflow, place: IdPlace<number>): Promise<PageRows<WorkflowVersion>> {
    return this.repository.versions(workflow.id, place);
  }

  faults(input: WorkflowInput): readonly Fault[] {
    const definition = definitionOf(input);
    const faults = [...compilePlan(definition, this.registry).faults];
    if (definition.input_schema !== undefined) {
      const compiled = compileInputSchema(definition.input_schema);
      if ('faults' in compiled) faults.push(...compiled.faults);
    }
    return faults;
  }

  private change(id: string, writes: readonly Write[]): Promise<void> {
    return this.writer.commit({ writes, afterCommit: () => this.heads.changed(id) });
  }

  private entry(principal: Principal, action: `workflow.${string}`, states: ResourceStates<Workflow>): Write {
    return this.audit.entry(principal, changeEvent(principal, { action, ...states, recorded }));
  }

  private refuse([first, ...others]: readonly Fault[]): void {
    if (first !== undefined) throw new ValidationError([first, ...others], 'invalid_workflow');
  }

  private versionOf(workflow: Workflow, principal: Principal): Write {
    return this.repository.versionInsertion({
      workflowId: workflow.id,
      version: workflow.version,
      definition: workflow.definition,
      createdAt: workflow.updatedAt,
      createdBy: principal.userId,
    });
  }
}

function onlyStatusDiffers(before: Workflow, after: Workflow): boolean {
  return (
    before.version === after.version &&
    before.name === after.name &&
    before.description === after.description &&
    before.tags.join('|') === after.tags.join('|')
  );
}

/**
 * Returns the fields of a workflow for the audit log. The definition is omitted, because it may contain pasted secrets.
 */
function recorded({ name, description, status, tags, version }: Workflow): object {
  return { name, description, status, tags, version };
}
