/** Function that replaces secret values in a JSON log line. The masked line must still be valid JSON. */
export type LineMask = (line: string) => string;

/** Masks that are applied to every log line. The set is a module variable, because a process has only one log. */
const masks = new Set<LineMask>();

/**
 * Applies a mask to all later log lines of this process.
 *
 * @returns a function that removes the mask
 */
export function maskLogLines(mask: LineMask): () => void {
  masks.add(mask);
  return () => void masks.delete(mask);
}

export function maskedLine(line: string): string {
  let masked = line;
  for (const mask of masks) masked = mask(masked);
  return masked;
}
