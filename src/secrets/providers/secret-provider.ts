import { DiscoveryService } from '@nestjs/core';

/**
 * A store from which the service reads secrets: its database, or a store that a plug-in connects, such as a vault.
 * Every implementation must pass `test/contracts/secret-provider.contract.ts`.
 */
export interface SecretProvider {
  /**
   * Returns the current values of the named secrets by name. The result omits secrets that do not exist.
   *
   * @param signal aborts when the caller no longer needs the values
   * @throws any error if the values cannot be read; the attempt then fails with `secret_unavailable` and may be retried
   */
  read(
    projectId: string,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>;
  /**
   * Returns the given names for which a secret exists, without reading the secrets' values.
   *
   * @throws any error if the names cannot be read; the request then fails with `secret_unavailable`
   */
  existing(projectId: string, names: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Class decorator that registers a plug-in's `SecretProvider`: `@SecretSource({ name: 'vault' })`. */
export const SecretSource = DiscoveryService.createDecorator<{
  /** Name of the secret provider in error messages. */
  readonly name: string;
}>();
