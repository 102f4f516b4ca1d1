import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Reads the values of secrets for attempts. */
export interface SecretResolver {
  /**
   * Returns the current values of secrets by name. Names that the project does not have are absent.
   * @param signal aborts when the attempt is aborted
   * @throws Error if the values cannot be read; the attempt then fails and may be retried
   */
  valuesOf(
    projectId: string,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>;
}

@Injectable()
export class SecretResolverPort extends Port<SecretResolver> {}
