/** The work of every contender: the functions of its steps and the expected outputs. */

/** Number of light steps in workload W3. */
export const LIGHT_STEPS = 40;

export interface Input {
  readonly n: number;
}

/** The three steps of workload W1. Each step receives the output of the step before it. */
export const STEPS = {
  a: (n: number): number => n + 1,
  b: (a: number): number => a * 2,
  c: (b: number): string => `result ${b}`,
};

export const LIGHT_NAMES: readonly string[] = Array.from(
  { length: LIGHT_STEPS },
  (_, index) => `light_${index}`,
);
