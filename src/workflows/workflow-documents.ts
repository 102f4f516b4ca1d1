import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../engine/index.js';
import { type InputFault, mergePatch, ValidationError, ValidationPipe } from '../platform/index.js';
import { inputOf, type Workflow, type WorkflowInput } from './workflow.js';
import { CreateWorkflowBody, type ValidateWorkflowView, WorkflowBody } from './workflow.dto.js';
import { workflowInput } from './workflow.input.js';
import { WorkflowsService } from './workflows.service.js';

/** Workflows as documents: checked whole, or merged with a patch and checked then. */
@Injectable()
export class WorkflowDocuments {
  private readonly pipe = new ValidationPipe();

  constructor(private readonly workflows: WorkflowsService) {}

  /** Every fault of a document at once: of its shape, else of what it means. */
  check(document: JsonObject): ValidateWorkflowView {
    const faults = this.faults(document);
    return { valid: faults.length === 0, errors: faults.map(({ path, code, message }) => ({ field: path, code, reason: message })) };
  }

  /**
   * The input that a merge patch makes of a workflow.
   * @throws ValidationError naming every fault of the merged document's shape.
   */
  patched(workflow: Workflow, patch: JsonObject): WorkflowInput {
    return this.read(mergePatch(inputOf(workflow), patch), WorkflowBody);
  }

  private faults(document: JsonObject): readonly InputFault[] {
    try {
      return this.workflows.faults(this.read(document, CreateWorkflowBody));
    } catch (error) {
      if (error instanceof ValidationError) return error.faults;
      throw error;
    }
  }

  private read(document: unknown, shape: typeof WorkflowBody): WorkflowInput {
    return workflowInput(this.pipe.transform(document, { type: 'body', metatype: shape }) as WorkflowBody);
  }
}
