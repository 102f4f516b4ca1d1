import { Injectable } from '@nestjs/common';
import { SecretProviders } from './providers/secret-providers.js';

/** For callers without an attempt of their own to abort. */
const NEVER = new AbortController().signal;

/** Values of secrets, for rooms that use them on behalf of a project. */
@Injectable()
export class Secrets {
  constructor(private readonly providers: SecretProviders) {}

  /**
   * The value right now; null where the project has no such secret. Never log, store or return it.
   * @throws SecretUnavailableError
   */
  async valueOf(projectId: string, name: string): Promise<string | null> {
    return (await this.valuesOf(projectId, [name])).get(name) ?? null;
  }

  /** The same for several, by name; those that the project does not have are absent. @throws SecretUnavailableError */
  valuesOf(
    projectId: string,
    names: readonly string[],
    signal: AbortSignal = NEVER,
  ): Promise<ReadonlyMap<string, string>> {
    return this.providers.read(projectId, names, signal);
  }

  /** Those of some names that the project has. */
  existing(projectId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
    return this.providers.existing(projectId, names);
  }
}
