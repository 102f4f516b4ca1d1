import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { PluginFault } from './plugin.errors.js';

export interface PluginPackage {
  readonly name: string;
  /** Absolute path of the ES module that exports the plug-in. */
  readonly entry: string;
  /** Range of service versions that the plug-in supports. Null if its package.json declares no range. */
  readonly range: string | null;
}

const SERVICE = 'workflow-service';

const ranges = z.record(z.string(), z.string()).default({});
const manifestSchema = z.looseObject({
  name: z.string().min(1),
  main: z.string().optional(),
  exports: z.unknown().optional(),
  peerDependencies: ranges,
  engines: ranges,
});

/**
 * Finds the package of a plug-in and reads its package.json.
 * @param given name of the package, or path of its directory (absolute, or starting with `.`)
 * @param from directories in whose `node_modules` the package is searched; a relative path starts from the first
 * directory
 * @throws PluginFault if the package is not found or invalid
 */
export function readPluginPackage(given: string, from: readonly [string, ...string[]]): PluginPackage {
  const folder = isPath(given) ? folderAt(resolve(from[0], given)) : installedFolder(given, from);
  const { name, main, exports, peerDependencies, engines } = readManifest(join(folder, 'package.json'));
  const entry = join(folder, exportedModule(exports) ?? main ?? 'index.js');
  if (!existsSync(entry))
    throw new PluginFault(
      `has no file ${entry}, which its package.json names. Build the plug-in and restart the service.`,
    );
  return { name, entry, range: peerDependencies[SERVICE] ?? engines[SERVICE] ?? null };
}

function isPath(given: string): boolean {
  return given.startsWith('.') || isAbsolute(given);
}

function folderAt(path: string): string {
  if (!existsSync(path)) throw new PluginFault(`does not exist (${path}). Correct the path.`);
  if (!statSync(path).isDirectory())
    throw new PluginFault('is a file. Use the folder that contains the package.json of the plug-in.');
  return path;
}

function installedFolder(name: string, from: readonly string[]): string {
  const found = from.flatMap(foldersUpwards).map((folder) => join(folder, 'node_modules', name));
  const folder = found.find((candidate) => existsSync(join(candidate, 'package.json')));
  if (folder !== undefined) return folder;
  throw new PluginFault(
    `is not installed. Run "npm install ${name}" in the working directory of the service, or start a path with "./".`,
  );
}

function foldersUpwards(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpwards(above)];
}

function readManifest(file: string): z.infer<typeof manifestSchema> {
  if (!existsSync(file))
    throw new PluginFault('has no package.json. Use the folder that contains the package.json.');
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new PluginFault(
        `has an invalid package.json: ${error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join(', ')}.`,
        { cause: error },
      );
    throw new PluginFault(
      `has a package.json that is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
      { cause: error },
    );
  }
}

/**
 * Returns the path that the `exports` field of a package.json gives for an `import` in Node.js. Undefined if the field
 * gives no path.
 */
function exportedModule(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const conditions = ['.', 'node', 'import', 'module-sync', 'default'];
  for (const [key, value] of Object.entries(exports)) {
    const found = conditions.includes(key) ? exportedModule(value) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
