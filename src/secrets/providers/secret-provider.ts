import { DiscoveryService } from '@nestjs/core';

/**
 * A source of secrets: the database, or a source of a plug-in, such as a vault. Each adapter must pass
 * `test/contracts/secret-provider.contract.ts`.
 */
export interface SecretProvider {
  /**
   * The current values of secrets, by name. Unknown names are omitted.
   *
   * @param signal aborts when the result is no longer needed
   * @throws any error if the values cannot be read; the attempt then fails with `secret_unavailable` and may be
   * retried
   */
  read(
    projectId: string,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>;
  /** The existing names among the given names of secrets. Values are not read. */
  existing(projectId: string, names: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Marks a provider of a plug-in as a `SecretProvider`: `@SecretSource({ name: 'vault' })`. */
export const SecretSource = DiscoveryService.createDecorator<{
  /** Name of the provider in error messages. */
  readonly name: string;
}>();
