import { expect, it } from 'vitest';
import { firstView } from './first-view.ts';

const OPTIONS = { padding: 20, wholeFrom: 0.4, readable: 0.7 };
const PANE = { width: 440, height: 240 };

it('a graph that is smaller than its pane is first shown in the center at its real size', () => {
  expect(firstView({ x: 0, y: 0, width: 200, height: 100 }, PANE, OPTIONS)).toEqual({
    x: 120,
    y: 70,
    zoom: 1,
  });
});

it('a graph that is wider than its pane is first shown as a whole if its zoom is at least `wholeFrom`', () => {
  expect(firstView({ x: 10, y: 0, width: 800, height: 100 }, PANE, OPTIONS)).toEqual({
    x: 15,
    y: 95,
    zoom: 0.5,
  });
});

it('a graph whose zoom would be below `wholeFrom` is first shown from its start', () => {
  expect(firstView({ x: 100, y: 0, width: 4000, height: 100 }, PANE, OPTIONS)).toEqual({
    x: -50,
    y: 85,
    zoom: 0.7,
  });
});
