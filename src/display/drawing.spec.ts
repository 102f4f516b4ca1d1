import { expect, it } from 'vitest';
import { draw } from './drawing.js';
import { blankPicture, withEvent } from './picture.js';
import type { Style } from './style.js';
import { BEGIN, LOST_AND_RESUMED } from '../../test/support/wire-event.js';

const PLAIN: Style = { unicode: true, color: false };
const BLANK = blankPicture([
  { id: 'order', type: 'http' },
  { id: 'price', type: 'set' },
]);

/**
 * Draws an execution as it is `afterMs` milliseconds after its start, with only its first `events` events. A bar has 12
 * cells of 500 ms each.
 */
function drawn(events: number, afterMs: number, style = PLAIN, width = 64): readonly string[] {
  const picture = LOST_AND_RESUMED.slice(0, events).reduce(withEvent, BLANK);
  return draw({ picture, now: BEGIN + afterMs, width, style });
}

it('the drawing of an execution has one line per node, with bars proportional to durations', () => {
  expect(drawn(11, 9000)).toEqual([
    '  ✓ order  http  █░░█········  2.0 s, attempt 2',
    '  ✓ price  set   ····╳╳╳╳██··  3.0 s',
    '',
    '  ━━━━━━━━━━━━  2 of 2 nodes   event 11   completed',
  ]);
});

it('the drawing of an execution extends unfinished spans to the current time and shows why a node waits', () => {
  expect(drawn(4, 1000)).toEqual([
    '  ↻ order  http  █░··········  again in 0.50 s: The server answ',
    '  ○ price  set   ············',
    '',
    '  ────────────  0 of 2 nodes   event 4   running',
  ]);
  expect(drawn(7, 3000)[1]).toBe('  ● price  set   ····██······');
});

it('the drawing of an execution scales to the width of the terminal', () => {
  expect(drawn(7, 26_000)[1]).toBe('  ● price  set   ████████████');
  for (const line of drawn(7, 60_000, PLAIN, 64)) expect(line.length).toBeLessThan(64);
});

it('the drawing of an execution shows a span that starts at the end of the time scale', () => {
  expect(drawn(7, 2000)[1]).toBe('  ● price  set   ····█·······');
  const short = LOST_AND_RESUMED.slice(0, 7).reduce(withEvent, BLANK);
  const line = draw({
    picture: { ...short, startedAt: BEGIN - 4000 },
    now: BEGIN + 2000,
    width: 64,
    style: PLAIN,
  })[1];
  expect(line).toBe('  ● price  set   ···········█');
});

it('the drawing of an execution uses only ASCII if the terminal lacks Unicode', () => {
  const lines = drawn(11, 9000, { unicode: false, color: false });
  expect(lines[1]).toBe('  + price  set       XXXX##    3.0 s');
  expect(lines.join('')).toMatch(/^[\x20-\x7e]*$/);
});

it('the drawing of an execution uses color only if the terminal supports color', () => {
  expect(drawn(11, 9000).join('')).not.toContain('\u001b');
  expect(drawn(11, 9000, { unicode: true, color: true })[0]).toContain('\u001b[32m✓\u001b[0m');
});
