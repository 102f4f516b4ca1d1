import { DiscoveryService } from '@nestjs/core';

/**
 * A place that holds secrets. The database of the service is the first one; a plug-in may add others, such as a vault.
 * Each passes `test/contracts/secret-provider.contract.ts`.
 */
export interface SecretProvider {
  /**
   * The values of the given names that exist in the project, by name. Each call reads the current values.
   * @param signal aborts when the result is no longer needed
   * @throws where the values cannot be read: the attempt then fails with `secret_unavailable` and may be retried
   */
  read(
    projectId: string,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>;
  /** Those of some names that the project has here. No value is read. */
  existing(projectId: string, names: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Marks a provider of a plug-in as a `SecretProvider`: `@SecretSource({ name: 'vault' })`. */
export const SecretSource = DiscoveryService.createDecorator<{
  /** For error messages. */
  readonly name: string;
}>();
