import type { GraphNode } from './run-graph.ts';

/**
 * Indentation level of each node in the tree view, at least 1. Each branch of the graph adds a level, and each join of
 * branches removes a level.
 */
export function levelsOf(graph: readonly GraphNode[]): ReadonlyMap<string, number> {
  const branches = new Map(graph.map(({ id, neededBy }) => [id, neededBy.length > 1]));
  const levels = new Map<string, number>();
  for (const { id, needs } of graph) {
    const least = Math.min(...needs.map((need) => levels.get(need) ?? 1));
    const [only] = needs;
    if (only === undefined) levels.set(id, 1);
    else if (needs.length === 1) levels.set(id, least + (branches.get(only) === true ? 1 : 0));
    else levels.set(id, Math.max(1, least - 1));
  }
  return levels;
}
