/** True for a short run (`--quick`), which only checks that the benchmarks work. */
export const QUICK = process.argv.includes('--quick');

export function sized(full: number, quick: number): number {
  return QUICK ? quick : full;
}

/** Number of times that each measurement is repeated. Results are medians of the repetitions. */
export const ROUNDS = sized(3, 1);
