import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface BuildInfo {
  readonly name: string;
  readonly version: string;
  /** Hash of the commit of the code, or `unknown`. */
  readonly commit: string;
  /** Build time, ISO 8601. If `BUILT_AT` is not set, this is the modification time of the running file. */
  readonly builtAt: string;
}

const COMMIT = /^[0-9a-f]{7,64}$/;

/**
 * Reads the version of the running code. `COMMIT_SHA` and `BUILT_AT` take precedence, because a container image
 * contains no Git repository.
 *
 * @param file URL of a source file; `package.json` is searched in its folder and the folders above
 */
export function readBuildInfo(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): BuildInfo {
  const path = fileURLToPath(file);
  const root = packageRoot(dirname(path));
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return {
    name,
    version,
    commit: commitOf(environment['COMMIT_SHA']) ?? checkedOutCommit(join(root, '.git')) ?? 'unknown',
    builtAt: instantOf(environment['BUILT_AT']) ?? statSync(path).mtime.toISOString(),
  };
}

function packageRoot(directory: string): string {
  if (readable(join(directory, 'package.json')) !== undefined) return directory;
  const parent = dirname(directory);
  if (parent === directory) throw new Error('No package.json was found in any parent folder of the code.');
  return packageRoot(parent);
}

/**
 * Returns the checked-out commit of a Git repository. The function reads the files of Git, because the command `git`
 * may not be installed.
 */
function checkedOutCommit(git: string): string | undefined {
  const head = readable(join(git, 'HEAD'))?.trim();
  const ref = head?.startsWith('ref: ') === true ? head.slice('ref: '.length) : undefined;
  if (ref === undefined) return commitOf(head);
  const packed = readable(join(git, 'packed-refs'))
    ?.split('\n')
    .find((line) => line.endsWith(` ${ref}`));
  return commitOf(readable(join(git, ref))) ?? commitOf(packed?.split(' ', 1)[0]);
}

function readable(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function commitOf(text: string | undefined): string | undefined {
  const commit = text?.trim();
  return commit !== undefined && COMMIT.test(commit) ? commit : undefined;
}

function instantOf(text: string | undefined): string | undefined {
  const instant = new Date(text ?? '');
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}
