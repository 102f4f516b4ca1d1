import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { SandboxPoolSettings } from './sandbox-pool.js';
import { sandboxWall } from './sandbox-wall.js';

/** Most processes of one kind: programs of strangers must not take every processor from the service. */
const MAX_PROCESSES = 4;

/** Where this room stands, in the sources or in a build. */
const ROOM = fileURLToPath(new URL('..', import.meta.url));

const NODE_MODULES = /^.*[\\/]node_modules[\\/]/;

/**
 * How processes of a program are run.
 * @param program the name of the program's module, without its ending
 * @param importer `import.meta.url` of the file that stands beside it
 * @param uses a package that it loads: it may read the packages beside that one, its own room, and nothing else
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
    wall: sandboxWall,
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
