import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 allocate all small objects in the young generation. By default, V8 allocates the objects of a statement
 * directly in the old generation if most earlier objects of that statement survived a collection. Objects of a request
 * often survive a collection while the request waits for its commit, but become garbage soon after that.
 */
export function allocateInYoungGeneration(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
