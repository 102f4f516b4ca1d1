import { Injectable } from '@nestjs/common';

export interface SecretUser {
  readonly type: 'workflow' | 'hook' | 'webhook';
  readonly id: string;
  readonly name: string;
}

/** Finds the resources of one kind that use a secret. */
export interface SecretUserFinder {
  usersOf(projectId: string, name: string): Promise<readonly SecretUser[]>;
}

/** Finds all resources that use a secret. Modules connect their finders (see ADR 0014). */
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
