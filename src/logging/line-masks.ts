/** Hides something in a line of JSON; the line stays one of JSON. */
export type LineMask = (line: string) => string;

/** Of the whole process, as its log is. */
const masks = new Set<LineMask>();

/** From now on every line of the log of this process goes through the mask. @returns ends that */
export function maskLogLines(mask: LineMask): () => void {
  masks.add(mask);
  return () => void masks.delete(mask);
}

export function maskedLine(line: string): string {
  let masked = line;
  for (const mask of masks) masked = mask(masked);
  return masked;
}
