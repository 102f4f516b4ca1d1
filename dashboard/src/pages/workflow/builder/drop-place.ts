import type { BuilderLayout } from './builder-layout.ts';

/** Id of the loop whose frame contains a given point of the graph; null if the point is outside all loops. */
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
