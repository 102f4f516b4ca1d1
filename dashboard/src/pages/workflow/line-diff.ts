export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/**
 * Maximum number of pairs of lines that the diff compares. Beyond the limit, all lines between the first and the last
 * change count as replaced.
 */
const MOST_PAIRS = 4_000_000;

/** Compares two texts line by line. The diff is minimal, unless the texts exceed `MOST_PAIRS`. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return [
    ...lines('same', a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...lines('same', a.slice(a.length - end)),
  ];
}

export function diffCounts(diff: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  return {
    added: diff.filter(({ kind }) => kind === 'added').length,
    removed: diff.filter(({ kind }) => kind === 'removed').length,
  };
}

function lines(kind: DiffLine['kind'], texts: readonly string[]): readonly DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

function middle(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  if (a.length * b.length > MOST_PAIRS) return [...lines('removed', a), ...lines('added', b)];
  const common = commonLengths(a, b);
  const width = b.length + 1;
  const diff: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && left === right) {
      diff.push({ kind: 'same', text: left });
      i += 1;
      j += 1;
    } else if (
      left !== undefined &&
      (right === undefined || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      diff.push({ kind: 'removed', text: left });
      i += 1;
    } else {
      diff.push({ kind: 'added', text: right ?? '' });
      j += 1;
    }
  }
  return diff;
}

/** For each pair of positions in two texts: the length of the longest common subsequence of the remaining lines. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        a[i] === b[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
  return common;
}
