/** `--quick`: a short run that checks whether everything works; its figures are imprecise. */
export const QUICK = process.argv.includes('--quick');

/** The amount to measure: `full`, or `quick` with `--quick`. */
export function sized(full: number, quick: number): number {
  return QUICK ? quick : full;
}

/** Number of rounds; results are their median. */
export const ROUNDS = sized(3, 1);
