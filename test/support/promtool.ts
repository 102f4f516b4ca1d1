import { spawnSync } from 'node:child_process';

/** The checker of Prometheus: `TEST_PROMTOOL`, else the one on the path. */
const PROMTOOL = process.env['TEST_PROMTOOL'] ?? 'promtool';

/**
 * Runs promtool.
 * @param input what it reads from its standard input
 * @returns what it printed, where it found no fault
 * @throws Error with what it printed, or where it is not installed (Debian's package `prometheus` has it)
 */
export function promtool(args: readonly string[], input = ''): string {
  const { status, error, stdout, stderr } = spawnSync(PROMTOOL, [...args], { encoding: 'utf8', input });
  if (error !== undefined) throw new Error(`promtool does not run: ${error.message}. Set TEST_PROMTOOL.`);
  if (status !== 0) throw new Error(`promtool ${args.join(' ')} found faults:\n${stdout}${stderr}`);
  return stdout + stderr;
}
