import { Injectable } from '@nestjs/common';
import { type SecretUser, type SecretUserFinder, SecretUsers } from '../secrets/index.js';
import { HooksRepository } from './hooks.repository.js';

/** Finds the active hooks that use a secret, so that a secret in use is not deleted by mistake. */
@Injectable()
export class HookSecretUsers implements SecretUserFinder {
  constructor(
    private readonly hooks: HooksRepository,
    users: SecretUsers,
  ) {
    users.connect(this);
  }

  async usersOf(projectId: string, secretName: string): Promise<readonly SecretUser[]> {
    const hooks = await this.hooks.activeOf(projectId);
    return hooks
      .filter(({ verification }) => verification.type !== 'none' && verification.secret === secretName)
      .map(({ id, name }) => ({ type: 'hook', id, name }));
  }
}
