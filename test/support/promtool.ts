import { spawnSync } from 'node:child_process';

/** Path of promtool, which checks Prometheus files: `TEST_PROMTOOL` if set, else the program in the `PATH`. */
const PROMTOOL = process.env['TEST_PROMTOOL'] ?? 'promtool';

/**
 * Runs promtool.
 * @param input text for the standard input of promtool
 * @returns the output of promtool if it found no problem
 * @throws Error if promtool found a problem or is not installed (Debian package `prometheus`)
 */
export function promtool(args: readonly string[], input = ''): string {
  const { status, error, stdout, stderr } = spawnSync(PROMTOOL, [...args], { encoding: 'utf8', input });
  if (error !== undefined)
    throw new Error(
      `promtool could not be started: ${error.message}. Set TEST_PROMTOOL to the path of promtool.`,
    );
  if (status !== 0) throw new Error(`promtool ${args.join(' ')} found problems:\n${stdout}${stderr}`);
  return stdout + stderr;
}
