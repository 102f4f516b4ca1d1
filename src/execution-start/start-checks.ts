import { Inject, Injectable } from '@nestjs/common';
import { ValidationError } from '../errors/index.js';
import type { Json } from '../expressions/index.js';
import { PlanCache, type Workflow, WorkflowsService } from '../workflows/index.js';
import { WorkflowNotActiveError } from './execution-start.errors.js';
import type { WantedExecution } from './prepared-execution.js';

export type CheckedStart = Pick<WantedExecution, 'workflow' | 'version' | 'compiled' | 'input'>;

/** Checks the workflow and the input of starts by requests, schedules and other triggers. */
@Injectable()
export class StartChecks {
  constructor(
    @Inject(WorkflowsService) private readonly workflows: Pick<WorkflowsService, 'version'>,
    @Inject(PlanCache) private readonly plans: Pick<PlanCache, 'of'>,
  ) {}

  /**
   * Checks that a workflow can start with an input.
   *
   * @param version version of the workflow to start; default: its current version
   * @throws WorkflowNotActiveError if the workflow is not active
   * @throws WorkflowVersionNotFoundError if the workflow has no such version
   * @throws ValidationError if the input does not match the workflow's schema
   */
  async check(workflow: Workflow, input: Json, version = workflow.version): Promise<CheckedStart> {
    if (workflow.status !== 'active') throw new WorkflowNotActiveError(workflow.status);
    if (version !== workflow.version) await this.workflows.version(workflow, version);
    const compiled = await this.plans.of(workflow.id, version);
    const [fault, ...faults] = compiled.inputSchema?.validate(input) ?? [];
    if (fault !== undefined) throw new ValidationError([fault, ...faults], 'invalid_input');
    return { workflow, version, compiled, input };
  }
}
