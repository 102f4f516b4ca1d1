/** Masks values in a line of JSON; the result must be valid JSON. */
export type LineMask = (line: string) => string;

/** Shared by the whole process, since it has one log. */
const masks = new Set<LineMask>();

/** Applies a mask to all following log lines of this process. @returns removes the mask */
export function maskLogLines(mask: LineMask): () => void {
  masks.add(mask);
  return () => void masks.delete(mask);
}

export function maskedLine(line: string): string {
  let masked = line;
  for (const mask of masks) masked = mask(masked);
  return masked;
}
