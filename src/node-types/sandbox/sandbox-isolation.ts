import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Isolation of a process by the operating system, in addition to the limits of Node.js and the interpreter. */
export interface SandboxIsolation {
  /** Beginning of a command line that starts a program in isolation. Empty if the system allows no isolation. */
  readonly command: readonly string[];
  /** Whether `command` starts the program in a child process, as process 1 of a new PID namespace. */
  readonly isNamespaced: boolean;
  readonly missing: readonly string[];
}

/** A util-linux program with its arguments. The program starts the command that follows on the command line. */
type Launcher = readonly [tool: string, ...words: string[]];

/**
 * One protection, and the launchers that provide the protection. The launcher with the strongest protection comes
 * first.
 */
interface Protection {
  readonly name: string;
  readonly launchers: readonly Launcher[];
}

/** Maximum writable memory of a process in bytes. V8 alone reserves about 600 MB, most of which is never used. */
const DATA_BYTES = 1_536 * 1024 * 1024;

/** Maximum number of open files of a process. Node.js needs about 20. */
const OPEN_FILES = 64;

const NAMESPACES = ['--net', '--pid', '--ipc', '--fork', '--kill-child=KILL'] as const;

const PRIVILEGED: Launcher = ['unshare', ...NAMESPACES];

/**
 * Inside a user namespace, any user may create network, PID and IPC namespaces. Some systems forbid user namespaces.
 */
const UNPRIVILEGED: Launcher = ['unshare', '--user', '--map-root-user', ...NAMESPACES];

const PROTECTIONS: readonly Protection[] = [
  // The kernel must end the process with the service, because a job in an endless loop does not notice that the service
  // has ended.
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

/** Timeout of one probe of the isolation, in milliseconds. A probe usually takes a few milliseconds. */
const PROBE_MS = 10_000;

let found: Promise<SandboxIsolation> | undefined;

/**
 * Returns the strongest isolation that this system allows. A process detects the isolation only once.
 * @throws Error if the system has no resources for the detection; the next call detects the isolation again
 */
export function sandboxIsolation(): Promise<SandboxIsolation> {
  return (found ??= detectIsolation().catch((error: unknown) => {
    found = undefined;
    throw error;
  }));
}

/** @param directories where to search for util-linux programs */
export async function detectIsolation(directories = DIRECTORIES): Promise<SandboxIsolation> {
  const strongest = PROTECTIONS.map(({ launchers }) => launchers.slice(0, 1));
  const whole = await firstAllowed([], [strongest.flat()], directories);
  if (whole !== null) return isolationOf(whole, []);
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
  return isolationOf(command, missing);
}

function isolationOf(command: readonly string[], missing: readonly string[]): SandboxIsolation {
  return { command, isNamespaced: command.includes('--pid'), missing };
}

/**
 * Extends a command by the first launcher that the system allows. Returns null if the system allows none of the
 * launchers.
 */
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
 * Whether the command can start a sandboxed process. The start may fail for root without capabilities. The start also
 * fails if `/proc` does not list the children of a process.
 * @throws Error if the probe does not end in time, or cannot start because of a shortage of memory, processes or files
 */
async function isAllowed(command: readonly string[]): Promise<boolean> {
  const test = await pathOf('test', DIRECTORIES);
  if (test === null) return false;
  const program = fileURLToPath(import.meta.url);
  const children = `/proc/${process.pid}/task/${process.pid}/children`;
  const checks = ['-r', program, '-a', '-x', process.execPath, '-a', '-r', children];
  const [file = '', ...words] = [...command, test, ...checks];
  return new Promise((resolve, reject) => {
    const probe = spawn(file, words, {
      cwd: '/',
      env: {},
      detached: true,
      stdio: 'ignore',
      timeout: PROBE_MS,
    });
    // A shortage of processes, files or memory may end, so it does not show what the system allows.
    probe.once('error', (error: NodeJS.ErrnoException) =>
      ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'].includes(error.code ?? '') ? reject(error) : resolve(false),
    );
    probe.once('exit', (code) =>
      probe.killed ? reject(new Error('The probe of the isolation timed out.')) : resolve(code === 0),
    );
  });
}
