import { describe, expect, it } from 'vitest';
import { lineReader, lineText } from './json-lines.js';

function read(maxBytes: number, ...pieces: readonly Buffer[]): readonly string[] {
  const lines: string[] = [];
  const reader = lineReader(
    maxBytes,
    (line) => lines.push(lineText(line)),
    () => lines.push('(too long)'),
  );
  for (const piece of pieces) reader(piece);
  return lines;
}

describe('lineReader', () => {
  it('`lineReader` joins chunks into lines, even if a chunk ends within a character', () => {
    const bytes = Buffer.from('{"a":"é"}\n\n[1]\nrest');
    const one = [...bytes].map((byte) => Buffer.of(byte));
    expect(read(100, ...one)).toEqual(['{"a":"é"}', '', '[1]']);
    expect(read(100, bytes)).toEqual(['{"a":"é"}', '', '[1]']);
  });

  it('`lineReader` splits lines only at line feeds', () => {
    expect(read(100, Buffer.from('"a\u2028b\r"\n'))).toEqual(['"a\u2028b\r"']);
  });

  it('`lineReader` reports a line that exceeds the size limit, and reads no further lines', () => {
    expect(read(3, Buffer.from('abc\n'), Buffer.from('ab'), Buffer.from('cd'), Buffer.from('\nx\n'))).toEqual(
      ['abc', '(too long)'],
    );
  });
});
