import { Inject, Injectable } from '@nestjs/common';
import { type SecretResolver, SecretResolverPort } from '../execution-runner/index.js';
import { SecretProviders } from './providers/secret-providers.js';
import { ResolvedValues } from './resolved-values.js';

/** Default abort signal for callers outside an attempt. The signal never aborts. */
const NO_ABORT = new AbortController().signal;

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
   * Returns the current value of a secret, or null if the project has no such secret. The caller must never log, store
   * or return the value.
   *
   * @throws SecretUnavailableError
   */
  async valueOf(projectId: string, name: string): Promise<string | null> {
    return (await this.valuesOf(projectId, [name])).get(name) ?? null;
  }

  /**
   * Returns the current values of the named secrets by name. The result omits secrets that do not exist.
   *
   * @throws SecretUnavailableError
   */
  async valuesOf(
    projectId: string,
    names: readonly string[],
    signal: AbortSignal = NO_ABORT,
  ): Promise<ReadonlyMap<string, string>> {
    const values = await this.providers.read(projectId, names, signal);
    for (const [name, value] of values) this.resolved.add(name, value);
    return values;
  }

  /** Returns the given names for which the project has a secret. */
  existing(projectId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
    return this.providers.existing(projectId, names);
  }
}
