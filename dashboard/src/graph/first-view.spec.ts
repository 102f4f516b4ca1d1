import { expect, it } from 'vitest';
import { firstView } from './first-view.ts';

const OPTIONS = { padding: 20, wholeFrom: 0.4, readable: 0.7 };
const PANE = { width: 440, height: 240 };

it('`firstView` centers a graph that is smaller than its pane, without enlarging the graph', () => {
  expect(firstView({ x: 0, y: 0, width: 200, height: 100 }, PANE, OPTIONS)).toEqual({
    x: 120,
    y: 70,
    zoom: 1,
  });
});

it('`firstView` shows a whole wide graph if the required zoom is at least `wholeFrom`', () => {
  expect(firstView({ x: 10, y: 0, width: 800, height: 100 }, PANE, OPTIONS)).toEqual({
    x: 15,
    y: 95,
    zoom: 0.5,
  });
});

it('`firstView` shows only the start of a graph if the whole graph would need a zoom below `wholeFrom`', () => {
  expect(firstView({ x: 100, y: 0, width: 4000, height: 100 }, PANE, OPTIONS)).toEqual({
    x: -50,
    y: 85,
    zoom: 0.7,
  });
});
