import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** OS-level isolation, in addition to the limits of Node.js and the interpreter. */
export interface SandboxWall {
  /** Command prefix that starts a program in isolation. Empty without isolation. */
  readonly command: readonly string[];
  /** Whether `command` starts the program in a child process, as process 1 of a new PID namespace. */
  readonly isNamespaced: boolean;
  readonly missing: readonly string[];
}

/** A util-linux program with its arguments, which starts the following program. */
type Launcher = readonly [tool: string, ...words: string[]];

/** One protection and its launchers, strongest first. */
interface Protection {
  readonly name: string;
  readonly launchers: readonly Launcher[];
}

/** Maximum writable memory in bytes. V8 reserves about 600 MB of it without use. */
const DATA_BYTES = 1_536 * 1024 * 1024;

/** Maximum number of open files. Node.js needs about 20. */
const OPEN_FILES = 64;

const NAMESPACES = ['--net', '--pid', '--ipc', '--fork', '--kill-child=KILL'] as const;

const PRIVILEGED: Launcher = ['unshare', ...NAMESPACES];

/** In a user namespace, any user may create the other namespaces. Some systems forbid user namespaces. */
const UNPRIVILEGED: Launcher = ['unshare', '--user', '--map-root-user', ...NAMESPACES];

const PROTECTIONS: readonly Protection[] = [
  // A job in an endless loop does not notice the death of the service.
  { name: 'end with the service (setpriv --pdeathsig)', launchers: [['setpriv', '--pdeathsig', 'KILL']] },
  {
    name: 'network and PID namespaces (unshare)',
    launchers: process.getuid?.() === 0 ? [PRIVILEGED, UNPRIVILEGED] : [UNPRIVILEGED],
  },
  {
    name: 'resource limits (prlimit)',
    launchers: [['prlimit', '--core=0', '--fsize=0', `--nofile=${OPEN_FILES}`, `--data=${DATA_BYTES}`, '--']],
  },
  {
    name: 'no_new_privs (setpriv)',
    launchers: [
      ['setpriv', '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', '--'],
      ['setpriv', '--no-new-privs', '--'],
    ],
  },
];

const DIRECTORIES: readonly string[] = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** Timeout of a probe in milliseconds. A probe usually takes a few milliseconds. */
const PROBE_MS = 10_000;

let found: Promise<SandboxWall> | undefined;

/** The strongest isolation that this system allows, detected only once. */
export function sandboxWall(): Promise<SandboxWall> {
  return (found ??= findWall());
}

/** @param directories where to search for util-linux programs */
export async function findWall(directories = DIRECTORIES): Promise<SandboxWall> {
  const strongest = PROTECTIONS.map(({ launchers }) => launchers.slice(0, 1));
  const whole = await firstAllowed([], [strongest.flat()], directories);
  if (whole !== null) return wallOf(whole, []);
  let command: readonly string[] = [];
  const missing: string[] = [];
  for (const { name, launchers } of PROTECTIONS) {
    const longer = await firstAllowed(
      command,
      launchers.map((launcher) => [launcher]),
      directories,
    );
    if (longer === null) missing.push(name);
    else command = longer;
  }
  return wallOf(command, missing);
}

function wallOf(command: readonly string[], missing: readonly string[]): SandboxWall {
  return { command, isNamespaced: command.includes('--pid'), missing };
}

/** The command with the first allowed launcher. Null if the system allows none. */
async function firstAllowed(
  command: readonly string[],
  extensions: readonly (readonly Launcher[])[],
  directories: readonly string[],
): Promise<readonly string[] | null> {
  for (const launchers of extensions) {
    const words = await Promise.all(
      launchers.map(async ([tool, ...rest]) => [await pathOf(tool, directories), ...rest]),
    );
    const longer = [...command, ...words.flat()];
    if (isWhole(longer) && (await isAllowed(longer))) return longer;
  }
  return null;
}

function isWhole(words: readonly (string | null)[]): words is readonly string[] {
  return !words.includes(null);
}

async function pathOf(tool: string, directories: readonly string[]): Promise<string | null> {
  for (const directory of directories) {
    const path = join(directory, tool);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return null;
}

/**
 * Whether a sandbox process can start with the command. The start may fail for root without capabilities, or without
 * the needed `/proc` support.
 */
async function isAllowed(command: readonly string[]): Promise<boolean> {
  const test = await pathOf('test', DIRECTORIES);
  if (test === null) return false;
  const program = fileURLToPath(import.meta.url);
  const children = `/proc/${process.pid}/task/${process.pid}/children`;
  const checks = ['-r', program, '-a', '-x', process.execPath, '-a', '-r', children];
  const [file = '', ...words] = [...command, test, ...checks];
  return new Promise((resolve) => {
    const probe = spawn(file, words, {
      cwd: '/',
      env: {},
      detached: true,
      stdio: 'ignore',
      timeout: PROBE_MS,
    });
    probe.once('error', () => resolve(false));
    probe.once('exit', (code) => resolve(code === 0));
  });
}
