import { spawnSync } from 'node:child_process';

/** Prometheus' checker: `TEST_PROMTOOL`, else the one on the path. */
const PROMTOOL = process.env['TEST_PROMTOOL'] ?? 'promtool';

/**
 * Runs promtool.
 * @param input its standard input
 * @returns its output if it found no problem
 * @throws Error with its output, or when it is not installed (Debian package `prometheus`)
 */
export function promtool(args: readonly string[], input = ''): string {
  const { status, error, stdout, stderr } = spawnSync(PROMTOOL, [...args], { encoding: 'utf8', input });
  if (error !== undefined) throw new Error(`promtool does not run: ${error.message}. Set TEST_PROMTOOL.`);
  if (status !== 0) throw new Error(`promtool ${args.join(' ')} found faults:\n${stdout}${stderr}`);
  return stdout + stderr;
}
