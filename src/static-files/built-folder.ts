import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Returns the folder that contains a built site, such as `docs/dist` in the package of the service.
 * @throws Error if the code is in no package
 */
export function builtFolder(site: 'dashboard' | 'docs'): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) throw new Error('No package.json was found in any parent folder of the code.');
  return join(dirname(manifest), site, 'dist');
}
