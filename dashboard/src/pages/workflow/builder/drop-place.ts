import type { BuilderLayout } from './builder-layout.ts';

/** The loop whose frame contains a point of the graph, or null. */
export function loopAt(
  { nodes }: BuilderLayout,
  { x, y }: { readonly x: number; readonly y: number },
): string | null {
  const frame = nodes.find(
    (node) =>
      node.isLoop && x >= node.x && x <= node.x + node.width && y >= node.y && y <= node.y + node.height,
  );
  return frame?.node.id ?? null;
}
