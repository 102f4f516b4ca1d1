import { expect, it } from 'vitest';
import { eventLine } from './event-line.js';
import { BEGIN, LOST_AND_RESUMED } from '../../test/support/wire-event.js';

it('`eventLine` describes the type, the node and the time of an event in one line', () => {
  const lines = LOST_AND_RESUMED.map((event) => eventLine(event, BEGIN));
  expect(lines.every((line) => !line.includes('\n'))).toBe(true);
  expect(lines[3]).toBe(
    '  #4   0.500 s  workflow.node.retrying  order: The server answered 503. Next attempt in 1000 ms.',
  );
  expect(lines[4]).toBe('  #5   1.500 s  workflow.node.started   order, attempt 2');
  expect(lines[7]).toBe('  #8   4.000 s  workflow.recovered      price again');
});
