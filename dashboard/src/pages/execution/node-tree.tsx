import { type KeyboardEvent, memo, useMemo, useRef } from 'react';
import { texts } from '../../texts/en/execution.ts';
import { classes, StatusBadge } from '../../ui/index.ts';
import { LiveDetail } from './live-detail.tsx';
import { levelsOf } from './node-levels.ts';
import { fractionOf } from './node-words.ts';
import type { NodesProps } from './nodes-props.ts';

/** Maximum indentation level in the tree, so that enough space remains for the names of nodes. */
const DEEPEST = 6;
const INDENT_PX = 16;

/** Shows the graph as a tree. The left and right arrow keys follow the dependencies between nodes. */
export const NodeTree = memo(function NodeTree({ graph, nodes, selected, onSelect, now }: NodesProps) {
  const tree = useRef<HTMLDivElement>(null);
  const levels = useMemo(() => levelsOf(graph), [graph]);
  const names = useMemo(() => new Map(graph.map(({ id, name }) => [id, name])), [graph]);
  const entry = nodes.some(({ node }) => node.id === selected) ? selected : (nodes[0]?.node.id ?? null);
  const focus = (id: string | undefined): void => {
    if (id !== undefined)
      tree.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement)) return;
    const at = nodes.findIndex(({ node }) => node.id === (event.target as HTMLElement).dataset['node']);
    const node = nodes[at]?.node;
    if (node === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focus(nodes[at + 1]?.node.id),
      ArrowUp: () => focus(nodes[at - 1]?.node.id),
      ArrowRight: () => focus(node.neededBy[0]),
      ArrowLeft: () => focus(node.needs[0]),
      Home: () => focus(nodes[0]?.node.id),
      End: () => focus(nodes.at(-1)?.node.id),
      Enter: () => onSelect(node.id),
      ' ': () => onSelect(node.id),
    };
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <div className="h-full overflow-y-auto pt-2 max-lg:max-h-[60vh]">
      <div ref={tree} role="tree" aria-label={texts.nodesInOrder} tabIndex={-1} onKeyDown={onKeyDown}>
        {nodes.map((shown) => {
          const { node, status } = shown;
          const after = node.needs.map((id) => names.get(id) ?? id);
          const level = levels.get(node.id) ?? 1;
          const fraction = fractionOf(shown);
          return (
            // The parent element with the role `tree` handles the keys of all its items.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={node.id}
              role="treeitem"
              data-node={node.id}
              aria-level={level}
              aria-selected={selected === node.id}
              tabIndex={node.id === entry ? 0 : -1}
              onClick={() => onSelect(node.id)}
              className={classes(
                'relative flex min-h-10 cursor-pointer items-center gap-3 border-t border-border py-1 pr-5 hover:bg-muted focus-visible:-outline-offset-2',
                selected === node.id && 'bg-muted',
              )}
              style={{ paddingLeft: 20 + (Math.min(level, DEEPEST) - 1) * INDENT_PX }}
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{node.name}</span>
                <span className="block truncate text-small text-text-3">
                  {node.type} · <LiveDetail shown={shown} now={now} />
                  {after.length > 0 && texts.afterNodes(after.join(', '))}
                </span>
              </span>
              <StatusBadge status={status} />
              {fraction !== null && (
                <span
                  aria-hidden
                  className="absolute bottom-0 left-0 h-0.5 bg-running"
                  style={{ width: `${fraction * 100}%` }}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
});
