/** `--quick`: whether everything works, in a fraction of the time; its figures say little. */
export const QUICK = process.argv.includes('--quick');

/** How much is measured. */
export function sized(full: number, quick: number): number {
  return QUICK ? quick : full;
}

/** Rounds of which the median counts. */
export const ROUNDS = sized(3, 1);
