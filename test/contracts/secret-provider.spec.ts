import { DataSource } from 'typeorm';
import type { SecretProvider } from '../../src/secrets/index.js';
import { Encryption } from '../../src/encryption/index.js';
import { isoTime, newId } from '../../src/platform/index.js';
import { DatabaseSecrets } from '../../src/secrets/providers/database-secrets.js';
import { sealContext } from '../../src/secrets/secret.js';
import { SecretsRepository } from '../../src/secrets/secrets.repository.js';
import { Writer } from '../../src/storage/index.js';
import { databaseKinds } from '../support/database.js';
import { TestService } from '../support/service.js';
import { describeSecretProvider, type ProviderUnderTest } from './secret-provider.contract.js';

const KEY = 'dGhlIGZpcnN0IGtleSBvZiB0aGVzZSB0ZXN0cyAtLS0=';

/** A minimal secret provider that keeps its secrets in memory. */
class FakeSecrets implements SecretProvider {
  readonly values = new Map<string, string>();

  read(projectId: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = names.flatMap((name) => {
      const value = this.values.get(`${projectId} ${name}`);
      return value === undefined ? [] : [[name, value] as const];
    });
    return Promise.resolve(new Map(found));
  }

  async existing(projectId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.read(projectId, names)).keys());
  }
}

describeSecretProvider('fake', async () => {
  const provider = new FakeSecrets();
  return {
    provider,
    set: async (projectId, name, value) => void provider.values.set(`${projectId} ${name}`, value),
    remove: async (projectId, name) => void provider.values.delete(`${projectId} ${name}`),
    close: () => Promise.resolve(),
  };
});

for (const { name: kind, create } of await databaseKinds())
  describeSecretProvider(`database on ${kind}`, async (): Promise<ProviderUnderTest> => {
    const database = await create();
    const service = await TestService.start({
      database: database.settings,
      environment: { SECRETS_KEY: KEY },
    });
    const part = <T>(type: abstract new (...parameters: never[]) => T): T =>
      service.app.get(type, { strict: false });
    const remove = async (projectId: string, name: string): Promise<void> => {
      await part(DataSource).query(
        `DELETE FROM secrets WHERE project_id = '${projectId}' AND name = '${name}'`,
      );
    };
    return {
      provider: part(DatabaseSecrets),
      set: async (projectId, name, value) => {
        await remove(projectId, name);
        const [id, now] = [newId(), isoTime(Date.now())];
        const times = { createdAt: now, updatedAt: now, lastUsedAt: null };
        const secret = { id, projectId, name, description: '', version: 1, revision: 1, ...times };
        const sealed = part(Encryption).seal(value, sealContext(id));
        await part(Writer).commit({ writes: [part(SecretsRepository).insertion(secret, sealed)] });
      },
      remove,
      close: async () => {
        await service.stop();
        await database.drop();
      },
    };
  });
