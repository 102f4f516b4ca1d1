const NEWLINE = 10;

/**
 * Splits a byte stream into lines. `readline` is unsuitable, because it also splits at U+2028, which JSON does not
 * escape.
 *
 * @param maxBytes maximum length of a line; after a longer line, `tooLong` is called and all further input is ignored
 * @param onLine called with the chunks of each line, without the line feed
 * @returns a function to call with each chunk of the stream
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

export function lineText(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString();
}
