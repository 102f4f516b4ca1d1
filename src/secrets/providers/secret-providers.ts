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
    for (const named of this.providers) {
      const missing = names.filter((one) => !values.has(one));
      if (missing.length === 0) break;
      const found = await this.ask(named, missing, (provider) => provider.read(projectId, missing, signal));
      for (const [key, value] of found) values.set(key, value);
    }
    return values;
  }

  /**
   * Returns which of the names are secrets.
   *
   * @throws SecretUnavailableError when a provider fails
   * @throws the error of the database while the database is unavailable
   */
  async existing(projectId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
    const existing = new Set<string>();
    for (const named of this.providers) {
      const missing = names.filter((one) => !existing.has(one));
      if (missing.length === 0) break;
      const found = await this.ask(named, missing, (provider) => provider.existing(projectId, missing));
      for (const name of found) existing.add(name);
    }
    return existing;
  }

  private async ask<T>(
    { name, provider }: NamedProvider,
    missing: readonly string[],
    request: (provider: SecretProvider) => Promise<T>,
  ): Promise<T> {
    try {
      return await request(provider);
    } catch (error) {
      if (provider === this.database && isDatabaseUnavailable(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new SecretUnavailableError(name, missing, reason);
    }
  }
}
