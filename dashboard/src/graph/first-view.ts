interface Size {
  readonly width: number;
  readonly height: number;
}

interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

export interface FirstViewOptions {
  /** Free space around the graph, in pixels. */
  readonly padding: number;
  /** Minimum zoom at which the whole graph is shown. If the whole graph needs a lower zoom, only a part is shown. */
  readonly wholeFrom: number;
  /** Zoom for a graph that is too large to be shown as a whole. */
  readonly readable: number;
}

/**
 * Returns the viewport in which a graph opens. A graph that fits is centered. Otherwise, the viewport shows the top
 * left corner of the graph.
 * @param graph bounding box of all nodes
 */
export function firstView(
  graph: Box,
  pane: Size,
  { padding, wholeFrom, readable }: FirstViewOptions,
): { readonly x: number; readonly y: number; readonly zoom: number } {
  const room = { width: pane.width - 2 * padding, height: pane.height - 2 * padding };
  const whole = Math.min(room.width / graph.width, room.height / graph.height, 1);
  const zoom = whole >= wholeFrom ? whole : readable;
  // The offset is rounded to whole pixels, because fractions would blur lines.
  const start = (place: number, size: number, space: number): number =>
    Math.round(padding + Math.max(0, (space - size * zoom) / 2) - place * zoom);
  return {
    x: start(graph.x, graph.width, room.width),
    y: start(graph.y, graph.height, room.height),
    zoom,
  };
}
