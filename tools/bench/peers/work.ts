/** The work of every contender: steps and expected outputs. */

export const LIGHT_STEPS = 40;

export interface Input {
  readonly n: number;
}

/** The three steps of W1. Each step receives the previous output. */
export const STEPS = {
  a: (n: number): number => n + 1,
  b: (a: number): number => a * 2,
  c: (b: number): string => `result ${b}`,
};

export const LIGHT_NAMES: readonly string[] = Array.from(
  { length: LIGHT_STEPS },
  (_, index) => `light_${index}`,
);
