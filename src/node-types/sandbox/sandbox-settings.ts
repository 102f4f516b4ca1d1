import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { SandboxPoolSettings } from './sandbox-pool.js';
import { sandboxIsolation } from './sandbox-isolation.js';

/**
 * Maximum number of sandboxed processes for each kind of program, so that untrusted programs do not occupy every CPU.
 */
const MAX_PROCESSES = 4;

/** Path of the directory `node-types`, in the sources or in a build. */
const ROOM = fileURLToPath(new URL('..', import.meta.url));

const NODE_MODULES = /^.*[\\/]node_modules[\\/]/;

/**
 * Returns the settings of the process pool for a program.
 *
 * @param program name of the program's module, without extension
 * @param importer `import.meta.url` of a file in the program's directory
 * @param uses a package that the program loads; the process may read only the directory `node-types` and the
 * `node_modules` directory that contains this package
 */
export function sandboxSettings(
  program: string,
  importer: string,
  uses: string,
  own: Pick<SandboxPoolSettings, 'residentBytes'> & Partial<SandboxPoolSettings>,
): SandboxPoolSettings {
  const packages = NODE_MODULES.exec(fileURLToPath(import.meta.resolve(uses)))?.[0] ?? '';
  const ending = importer.endsWith('.ts') ? 'ts' : 'js';
  return {
    program: new URL(`./${program}.${ending}`, importer),
    size: Math.min(MAX_PROCESSES, Math.max(2, availableParallelism())),
    idleMs: 60_000,
    jobsPerProcess: 500,
    isolation: sandboxIsolation,
    ...own,
    flags: [
      '--permission',
      `--allow-fs-read=${ROOM}`,
      `--allow-fs-read=${packages}`,
      '--max-old-space-size=64',
      '--max-semi-space-size=4',
      '--disable-proto=delete',
      '--disallow-code-generation-from-strings',
      ...(own.flags ?? []),
    ],
  };
}
