import { Injectable } from '@nestjs/common';
import type { WorkflowDefinition } from '../engine/index.js';

/** A possible problem in a workflow definition. The definition can be saved in spite of the problem. */
export interface WorkflowWarning {
  /** Path of the problem in the definition, such as `nodes[2].with.url`. */
  readonly path: string;
  /** Stable code of the warning in snake_case, such as `unknown_secret`. */
  readonly code: string;
  /** Text of the warning in complete sentences: what will happen, and how to fix the problem. */
  readonly message: string;
}

export interface WorkflowWarningFinder {
  /** @param projectId null if the workflow's project is not known yet */
  warnings(definition: WorkflowDefinition, projectId: string | null): Promise<readonly WorkflowWarning[]>;
}

/**
 * Collects the warnings about a workflow definition from all finders. Modules that depend on this module connect
 * further finders (see ADR 0014).
 */
@Injectable()
export class WorkflowWarnings implements WorkflowWarningFinder {
  private readonly finders: WorkflowWarningFinder[] = [];

  connect(finder: WorkflowWarningFinder): void {
    this.finders.push(finder);
  }

  async warnings(
    definition: WorkflowDefinition,
    projectId: string | null,
  ): Promise<readonly WorkflowWarning[]> {
    const found = await Promise.all(this.finders.map((finder) => finder.warnings(definition, projectId)));
    return found.flat();
  }
}
