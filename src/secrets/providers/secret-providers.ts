import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { isDatabaseUnavailable } from '../../database/index.js';
import { SecretUnavailableError } from '../secrets.errors.js';
import { DatabaseSecrets } from './database-secrets.js';
import { type SecretProvider, SecretSource } from './secret-provider.js';

interface NamedProvider {
  readonly name: string;
  readonly provider: SecretProvider;
}

/**
 * Combines the database with the secret providers of plug-ins. A secret comes from the database if it exists there, and
 * otherwise from the first plug-in that has a secret of the name.
 */
@Injectable()
export class SecretProviders implements SecretProvider, OnModuleInit {
  private readonly providers: NamedProvider[];

  constructor(
    private readonly database: DatabaseSecrets,
    private readonly discovery: DiscoveryService,
  ) {
    this.providers = [{ name: 'database', provider: database }];
  }

  onModuleInit(): void {
    for (const wrapper of this.discovery.getProviders({ metadataKey: SecretSource.KEY })) {
      const source = this.discovery.getMetadataByDecorator(SecretSource, wrapper);
      if (source !== undefined)
        this.providers.push({ name: source.name, provider: wrapper.instance as SecretProvider });
    }
  }

  /**
   * Returns the values of the named secrets by name.
   *
   * @throws SecretUnavailableError when a provider fails
   * @throws the error of the database while the database is unavailable
   */
  async read(
    projectId: string,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const values = new Map<string, string>();
    for (const { name, provider } of this.providers) {
      const missing = names.filter((one) => !values.has(one));
      if (missing.length === 0) break;
      try {
        for (const [key, value] of await provider.read(projectId, missing, signal)) values.set(key, value);
      } catch (error) {
        if (provider === this.database && isDatabaseUnavailable(error)) throw error;
        throw new SecretUnavailableError(
          name,
          missing,
          error instanceof Error ? error.message : String(error),
        );
      }
    }
    return values;
  }

  async existing(projectId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const { provider } of this.providers) {
      const missing = names.filter((one) => !found.has(one));
      if (missing.length === 0) break;
      for (const name of await provider.existing(projectId, missing)) found.add(name);
    }
    return found;
  }
}
