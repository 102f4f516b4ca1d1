import { classes, StatusBadge } from '../../ui/index.ts';
import type { NodesProps } from './nodes-props.ts';
import { LiveDetail } from './live-detail.tsx';

/** The graph in words: each node, how it stands, and what it comes after. */
export function NodeList({ nodes, selected, onSelect, now }: NodesProps) {
  const names = new Map(nodes.map(({ node }) => [node.id, node.name]));
  return (
    // Room for the switch of the pane.
    <ol aria-label="Nodes in order" className="h-full overflow-y-auto pt-11">
      {nodes.map((shown) => {
        const { node, status } = shown;
        const after = node.needs.map((id) => names.get(id) ?? id);
        return (
          <li key={node.id} className="border-t border-border">
            <button
              type="button"
              aria-pressed={selected === node.id}
              onClick={() => onSelect(node.id)}
              className={classes(
                'flex min-h-10 w-full items-center gap-3 px-5 py-1 text-left hover:bg-muted focus-visible:-outline-offset-2',
                selected === node.id && 'bg-muted',
              )}
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{node.name}</span>
                <span className="block truncate text-small text-text-3">
                  {node.type} · <LiveDetail shown={shown} now={now} />
                  {after.length > 0 && ` · after ${after.join(', ')}`}
                </span>
              </span>
              <StatusBadge status={status} />
            </button>
          </li>
        );
      })}
    </ol>
  );
}
