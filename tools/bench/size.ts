/** True for a short run (`--quick`) that only checks whether the benchmarks work. */
export const QUICK = process.argv.includes('--quick');

export function sized(full: number, quick: number): number {
  return QUICK ? quick : full;
}

/** Number of repetitions of a measurement. Results are medians. */
export const ROUNDS = sized(3, 1);
