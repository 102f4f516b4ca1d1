import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 allocate all small objects in the young generation. By default, V8 allocates objects directly in the old
 * generation if most earlier objects of the same statement survived a collection of the young generation. Objects of a
 * request survive such a collection if the request waits for its commit at that moment, but are garbage soon after it.
 */
export function allocateInYoungGeneration(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
