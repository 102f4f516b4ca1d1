/** The work that every engine in the comparison does: steps and expected outputs. */

export const LIGHT_STEPS = 40;

export interface Input {
  readonly n: number;
}

/** The three steps of the benchmark W1. The input of each step is the output of the previous step. */
export const STEPS = {
  a: (n: number): number => n + 1,
  b: (a: number): number => a * 2,
  c: (b: number): string => `result ${b}`,
};

export const LIGHT_NAMES: readonly string[] = Array.from(
  { length: LIGHT_STEPS },
  (_, index) => `light_${index}`,
);
