import { Inject, Injectable } from '@nestjs/common';
import type { WorkflowDefinition } from '../engine/index.js';
import { NodeTypeRegistry } from '../nodes/index.js';
import {
  type WorkflowWarning,
  type WorkflowWarningFinder,
  WorkflowWarnings,
  WorkflowsService,
} from '../workflows/index.js';
import { type SecretUser, type SecretUserFinder, SecretUsers } from './secret-users.js';
import { secretReferences } from './secret-references.js';
import { Secrets } from './secrets.js';

/** Warns about references to unknown secrets in a workflow, and finds the active workflows that use a secret. */
@Injectable()
export class WorkflowSecrets implements WorkflowWarningFinder, SecretUserFinder {
  constructor(
    private readonly registry: NodeTypeRegistry,
    private readonly workflows: WorkflowsService,
    private readonly secrets: Secrets,
    @Inject(WorkflowWarnings) warnings: Pick<WorkflowWarnings, 'connect'>,
    @Inject(SecretUsers) users: Pick<SecretUsers, 'connect'>,
  ) {
    warnings.connect(this);
    users.connect(this);
  }

  async warnings(
    definition: WorkflowDefinition,
    projectId: string | null,
  ): Promise<readonly WorkflowWarning[]> {
    if (projectId === null) return [];
    const references = secretReferences(definition, this.registry);
    const names = [...new Set(references.map(({ name }) => name))];
    if (names.length === 0) return [];
    const known = await this.secrets.existing(projectId, names);
    return references
      .filter(({ name }) => !known.has(name))
      .map(({ name, path }) => ({
        path,
        code: 'unknown_secret',
        message: `The project has no secret ${name}, so an attempt of this node will fail. Create the secret, or correct the name.`,
      }));
  }

  async usersOf(projectId: string, name: string): Promise<readonly SecretUser[]> {
    const candidates = await this.workflows.activeMentioning(projectId, name);
    return candidates
      .filter(({ definition }) =>
        secretReferences(definition, this.registry).some((one) => one.name === name),
      )
      .map((workflow) => ({ type: 'workflow', id: workflow.id, name: workflow.name }));
  }
}
