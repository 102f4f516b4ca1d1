/** True for a short run (`--quick`), which checks whether everything works. Its figures are imprecise. */
export const QUICK = process.argv.includes('--quick');

/** Selects the amount to measure: `full`, or `quick` with `--quick`. */
export function sized(full: number, quick: number): number {
  return QUICK ? quick : full;
}

/** Number of rounds. Results are the median of the rounds. */
export const ROUNDS = sized(3, 1);
