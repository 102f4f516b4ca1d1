/** True for a short run (`--quick`) that only checks whether everything works. */
export const QUICK = process.argv.includes('--quick');

export function sized(full: number, quick: number): number {
  return QUICK ? quick : full;
}

/** Number of rounds. Results are medians. */
export const ROUNDS = sized(3, 1);
