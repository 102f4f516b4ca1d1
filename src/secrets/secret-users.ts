import { Injectable } from '@nestjs/common';

/** Something active that names a secret. */
export interface SecretUser {
  readonly type: 'workflow' | 'hook' | 'webhook';
  readonly id: string;
  readonly name: string;
}

/** Finds the things of one kind that name a secret. */
export interface SecretUserFinder {
  usersOf(projectId: string, name: string): Promise<readonly SecretUser[]>;
}

/** Everything that names a secret. Rooms whose things name secrets connect a finder; see ADR 0014. */
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
