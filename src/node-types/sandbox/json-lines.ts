const NEWLINE = 10;

/**
 * Cuts a stream of bytes into lines. `readline` is no use for JSON: it also breaks at U+2028, which JSON leaves
 * as it is in strings.
 *
 * @param maxBytes longest line; `tooLong` is called once one is longer, and nothing is read any more
 * @param onLine called with the pieces of each line, without the line feed
 * @returns what to call with each piece of the stream
 */
export function lineReader(
  maxBytes: number,
  onLine: (line: readonly Buffer[]) => void,
  tooLong: () => void,
): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let size = 0;
  let over = false;
  return (piece) => {
    let from = 0;
    while (!over) {
      const end = piece.indexOf(NEWLINE, from);
      const rest = piece.subarray(from, end < 0 ? piece.length : end);
      size += rest.length;
      if (size > maxBytes) {
        over = true;
        pieces = [];
        return tooLong();
      }
      pieces.push(rest);
      if (end < 0) return;
      const line = pieces;
      pieces = [];
      size = 0;
      from = end + 1;
      onLine(line);
    }
  };
}

/** The text of a line. */
export function lineText(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString();
}
