import { Injectable } from '@nestjs/common';

export interface SecretUser {
  readonly type: 'workflow' | 'hook' | 'webhook';
  readonly id: string;
  readonly name: string;
}

/** Finds the resources of one kind (workflow, hook or webhook) that use a secret. */
export interface SecretUserFinder {
  usersOf(projectId: string, name: string): Promise<readonly SecretUser[]>;
}

/**
 * Finds all workflows, hooks and webhooks that use a secret. Each module registers its own finder with `connect` (see
 * ADR 0014).
 */
@Injectable()
export class SecretUsers implements SecretUserFinder {
  private readonly finders: SecretUserFinder[] = [];

  connect(finder: SecretUserFinder): void {
    this.finders.push(finder);
  }

  async usersOf(projectId: string, name: string): Promise<readonly SecretUser[]> {
    const found = await Promise.all(this.finders.map((finder) => finder.usersOf(projectId, name)));
    return found.flat();
  }
}
