import { Injectable } from '@nestjs/common';
import type { WorkflowDefinition } from '../engine/index.js';

/** Something questionable in a definition that can be saved all the same. */
export interface WorkflowWarning {
  /** Where, as in faults: `nodes[2].with.url`. */
  readonly path: string;
  /** snake_case and stable: `unknown_secret`. */
  readonly code: string;
  /** What will happen and what to do, in whole sentences. */
  readonly message: string;
}

/** Finds warnings of one kind. */
export interface WorkflowWarningFinder {
  /** @param projectId null while it is not known which project the workflow is for */
  warnings(definition: WorkflowDefinition, projectId: string | null): Promise<readonly WorkflowWarning[]>;
}

/** Warnings about a definition. Rooms above connect further finders; see ADR 0014. */
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
