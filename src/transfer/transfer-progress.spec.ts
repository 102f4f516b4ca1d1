import { expect, it } from 'vitest';
import { TransferProgress } from './transfer-progress.js';

const START = '\r\u001b[K';

function moved(screen: boolean) {
  const lines: string[] = [];
  const drawn: string[] = [];
  let now = 0;
  const progress = new TransferProgress(
    {
      out: (text) => lines.push(text),
      ...(screen && { screen: { write: (text: string) => drawn.push(text) } }),
    },
    () => now,
  );
  progress.begin('journal', 3_000);
  for (const at of [100, 1_000, 1_100, 2_000]) {
    now = at;
    progress.add(750);
  }
  progress.end();
  progress.begin('chores', 0);
  progress.end();
  return { progress, lines, drawn };
}

it('TransferProgress prints the number of rows and the rate of each transferred table that has rows', () => {
  const { progress, lines, drawn } = moved(false);
  expect(lines).toEqual(['moved  journal                         3,000 rows  1,500/s\n']);
  expect([progress.rows, progress.tables]).toEqual([3_000, 2]);
  expect(drawn).toEqual([]);
});

it('TransferProgress redraws the line of a table five times a second, and clears the line after the table', () => {
  expect(moved(true).drawn).toEqual([
    `${START}       journal                             0 of 3,000 rows`,
    `${START}       journal                         1,500 of 3,000 rows  1,500/s`,
    `${START}       journal                         3,000 of 3,000 rows  1,500/s`,
    START,
    `${START}       chores                              0 of 0 rows`,
    START,
  ]);
});

it('TransferProgress prints no line for a table whose transfer failed', () => {
  const lines: string[] = [];
  const progress = new TransferProgress({ out: (text) => lines.push(text) }, () => 0);
  progress.begin('journal', 10);
  progress.add(5);
  progress.end();
  expect([lines, progress.rows, progress.tables]).toEqual([[], 0, 0]);
});
