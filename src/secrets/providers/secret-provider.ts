import { DiscoveryService } from '@nestjs/core';

/**
 * A source of secrets: the service's database, or a source that a plug-in adds, such as a vault. Each adapter must pass
 * `test/contracts/secret-provider.contract.ts`.
 */
export interface SecretProvider {
  /**
   * Returns the current values of the given secrets, by name. Omits names that do not exist in the project.
   * @param signal aborts when the result is no longer needed
   * @throws any error if the values cannot be read. The attempt then fails with `secret_unavailable` and may be
   * retried.
   */
  read(
    projectId: string,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>;
  /** Filters names: returns the names of secrets that exist in the project. Does not read values. */
  existing(projectId: string, names: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Marks a provider of a plug-in as a `SecretProvider`: `@SecretSource({ name: 'vault' })`. */
export const SecretSource = DiscoveryService.createDecorator<{
  /** Name of the provider in error messages. */
  readonly name: string;
}>();
