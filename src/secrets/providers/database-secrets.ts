import { Injectable } from '@nestjs/common';
import { Encryption } from '../../encryption/index.js';
import { sealContext } from '../secret.js';
import { SecretUses } from '../secret-uses.js';
import { SecretsRepository } from '../secrets.repository.js';
import type { SecretProvider } from './secret-provider.js';

/**
 * Reads secrets from the service's database. Values are not cached, because a cached value would be stale after another
 * process changes the secret.
 */
@Injectable()
export class DatabaseSecrets implements SecretProvider {
  constructor(
    private readonly repository: SecretsRepository,
    private readonly encryption: Encryption,
    private readonly uses: SecretUses,
  ) {}

  /** @throws UnreadableSecretError; SecretsKeyMissingError */
  async read(projectId: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (names.length === 0) return new Map();
    const found = await this.repository.sealed(projectId, names);
    const values = found.map(
      ({ id, name, sealed }) => [name, this.encryption.open(sealed, sealContext(id))] as const,
    );
    for (const { id } of found) this.uses.note(id);
    return new Map(values);
  }

  existing(projectId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
    return this.repository.existing(projectId, names);
  }
}
