import { Inject, Injectable } from '@nestjs/common';
import { type SecretResolver, SecretResolverPort } from '../execution-runner/index.js';
import { SecretProviders } from './providers/secret-providers.js';
import { ResolvedValues } from './resolved-values.js';

/** An abort signal that never aborts, for callers outside an attempt. */
const NO_ABORT = new AbortController().signal;

/** Values of secrets, for attempts and for modules that use secrets on behalf of a project. */
@Injectable()
export class Secrets implements SecretResolver {
  constructor(
    private readonly providers: SecretProviders,
    private readonly resolved: ResolvedValues,
    @Inject(SecretResolverPort) port: Pick<SecretResolverPort, 'connect'>,
  ) {
    port.connect(this);
  }

  /**
   * The current value of a secret; null if the project has no such secret. Never log, store or return the value.
   * @throws SecretUnavailableError
   */
  async valueOf(projectId: string, name: string): Promise<string | null> {
    return (await this.valuesOf(projectId, [name])).get(name) ?? null;
  }

  /** Values of several secrets, by name; missing names are absent. @throws SecretUnavailableError */
  async valuesOf(
    projectId: string,
    names: readonly string[],
    signal: AbortSignal = NO_ABORT,
  ): Promise<ReadonlyMap<string, string>> {
    const values = await this.providers.read(projectId, names, signal);
    for (const [name, value] of values) this.resolved.add(name, value);
    return values;
  }

  /** Filters names: returns the names of secrets that exist in the project. */
  existing(projectId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
    return this.providers.existing(projectId, names);
  }
}
