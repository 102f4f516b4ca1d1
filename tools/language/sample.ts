/**
 * `npm run language:sample -- <seed>`: prints 120 random texts of the project as a table, so that people can rate how
 * clear the texts are. The same seed selects the same texts. Readers see only the table. The ratings are:
 * - `clear`: the meaning is certain at the first reading, with the file and the symbol in view;
 * - `second`: the meaning is certain at the second reading;
 * - `no`: the meaning is certain only with the code.
 */
import { createHash } from 'node:crypto';
import { projectTexts } from './project-texts.ts';
import type { TextKind } from './texts.ts';

const SIZES: readonly (readonly [TextKind, number])[] = [
  ['comment', 40],
  ['paragraph', 20],
  ['test name', 30],
  ['interface text', 15],
  ['error message', 15],
];

const [, , seed] = process.argv;
if (seed === undefined) {
  process.stderr.write('Usage: npm run language:sample -- <seed>\n');
  process.exit(2);
}
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const rank = (text: string): string => createHash('sha256').update(`${seed}\n${text}`).digest('hex');
const texts = projectTexts();
process.stdout.write(`| # | kind | place | symbol | text | rating |\n| - | - | - | - | - | - |\n`);
let number = 0;
for (const [kind, size] of SIZES)
  for (const { file, line, symbol, text } of texts
    .filter((candidate) => candidate.kind === kind)
    .map((candidate) => ({ ...candidate, rank: rank(`${candidate.file}\n${candidate.text}`) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size))
    process.stdout.write(
      `| ${[++number, kind, `${file}:${line}`, cell(symbol), cell(text)].join(' | ')} | |\n`,
    );
