import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Reads the values of the secrets that attempts need. */
export interface SecretResolver {
  /**
   * Returns the current values of a project's secrets by name. The result does not contain names of missing secrets.
   *
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
