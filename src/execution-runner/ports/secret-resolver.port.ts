import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Gives attempts the values of secrets. */
export interface SecretResolver {
  /**
   * Values right now, by name; a name that the project does not have is absent.
   * @param signal aborts when the attempt is given up
   * @throws where they cannot be read; the attempt then fails and may be retried
   */
  valuesOf(
    projectId: string,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>;
}

@Injectable()
export class SecretResolverPort extends Port<SecretResolver> {}
