import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import type { JsonObject } from '../expressions/index.js';
import { type InputFault, ValidationError } from '../errors/index.js';
import { mergePatch, ValidationPipe } from '../http/index.js';
import { definitionOf, inputOf, type Workflow, type WorkflowInput } from './workflow.js';
import { CreateWorkflowBody, type ValidateWorkflowView, WorkflowBody } from './workflow.dto.js';
import { readablePart } from './readable-part.js';
import { workflowInput } from './workflow.input.js';
import { ReplaceWorkflowBody } from './workflow-replacement.dto.js';
import { type WorkflowWarning, WorkflowWarnings } from './workflow-warnings.js';
import { WorkflowsService } from './workflows.service.js';

/** Validates the JSON documents with which clients create, replace and patch workflows. */
@Injectable()
export class WorkflowDocuments {
  private readonly pipe = new ValidationPipe();

  constructor(
    private readonly workflows: WorkflowsService,
    private readonly found: WorkflowWarnings,
  ) {}

  /** Returns all errors and all warnings of a workflow document. */
  async check(principal: Principal, document: JsonObject): Promise<ValidateWorkflowView> {
    const faults = this.faults(document);
    return {
      valid: faults.length === 0,
      errors: faults.map(({ path, code, message }) => ({ field: path, code, reason: message })),
      warnings: await this.warnings(principal, document),
    };
  }

  /**
   * Validates the document of a new workflow.
   * @throws ValidationError with all errors of the document
   */
  created(document: JsonObject): { readonly projectId: string | undefined; readonly input: WorkflowInput } {
    const { project_id, ...body } = this.read(document, CreateWorkflowBody);
    return { projectId: project_id?.toLowerCase(), input: workflowInput(body) };
  }

  /**
   * Validates a document that replaces an existing workflow.
   * @throws ValidationError with all errors of the document
   */
  replaced(document: JsonObject): WorkflowInput {
    return workflowInput(this.read(document, ReplaceWorkflowBody));
  }

  /**
   * Applies a JSON merge patch to a workflow and validates the result.
   * @throws ValidationError with all errors of the merged document
   */
  patched(workflow: Workflow, patch: JsonObject): WorkflowInput {
    return workflowInput(this.read(mergePatch(inputOf(workflow), patch) as JsonObject, WorkflowBody));
  }

  /** Returns the warnings about a workflow document. A malformed document has no warnings. */
  private async warnings(principal: Principal, document: JsonObject): Promise<readonly WorkflowWarning[]> {
    let created: ReturnType<WorkflowDocuments['created']>;
    try {
      created = this.created(document);
    } catch (error) {
      if (error instanceof ValidationError) return [];
      throw error;
    }
    const { projectId, input } = created;
    return this.found.warnings(definitionOf(input), await this.workflows.projectFor(principal, projectId));
  }

  private faults(document: JsonObject): readonly InputFault[] {
    try {
      return this.workflows.faults(this.created(document).input);
    } catch (error) {
      if (error instanceof ValidationError) return error.faults;
      throw error;
    }
  }

  private read<T extends WorkflowBody>(document: JsonObject, shape: new () => T): T {
    try {
      return this.pipe.transform(document, { type: 'body', metatype: shape }) as T;
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw new ValidationError([...error.faults, ...this.furtherFaults(document, error.faults)], error.code);
    }
  }

  /** Returns the errors that further checks find in the valid part of a malformed workflow document. */
  private furtherFaults(document: JsonObject, faults: readonly InputFault[]): readonly InputFault[] {
    const part = readablePart(document, faults);
    if (part === undefined) return [];
    const malformed = faults.map(({ path }) => path);
    return this.workflows
      .faults(part)
      .filter(({ path }) => !malformed.some((start) => path.startsWith(start)));
  }
}
