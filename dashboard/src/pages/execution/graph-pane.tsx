import { lazy, memo, Suspense, useState, useSyncExternalStore } from 'react';
import { loadChunk } from '../../api/index.ts';
import { classes, Skeleton } from '../../ui/index.ts';
import { NodeTree } from './node-tree.tsx';
import type { NodesProps } from './nodes-props.ts';

/** On narrower screens the graph would be too small to read. */
const NARROW = matchMedia('(max-width: 767px)');

const loadCanvas = () => loadChunk(() => import('./graph-canvas.tsx'));
const GraphCanvas = lazy(async () => ({ default: (await loadCanvas()).GraphCanvas }));
// Preloads the canvas while the execution is being fetched.
if (!NARROW.matches) void loadCanvas().catch(() => undefined);

function watchWidth(listener: () => void): () => void {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
}

const readWidth = (): boolean => NARROW.matches;

const VIEWS = [
  { id: 'graph', label: 'Graph' },
  { id: 'tree', label: 'Tree' },
] as const;

/** The nodes and their dependencies, as a graph or as an equivalent tree. */
export const GraphPane = memo(function GraphPane(props: NodesProps) {
  const [chosen, setView] = useState<'graph' | 'tree' | null>(null);
  const isNarrow = useSyncExternalStore(watchWidth, readWidth);
  const view = chosen ?? (isNarrow ? 'tree' : 'graph');
  return (
    <section
      aria-label="Nodes"
      className={classes(
        'relative h-[clamp(250px,36vh,420px)] shrink-0 overflow-hidden border-b border-border',
        view === 'tree' && 'max-lg:h-auto',
      )}
    >
      {view === 'tree' ? (
        <NodeTree {...props} />
      ) : (
        <Suspense fallback={<Skeleton className="m-5 h-12 w-36" />}>
          <GraphCanvas {...props} />
        </Suspense>
      )}
      <div
        role="group"
        aria-label="Show nodes as"
        className="absolute top-2 right-2 flex rounded-sm border border-border bg-surface p-0.5"
      >
        {VIEWS.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            aria-pressed={view === id}
            onClick={() => setView(id)}
            className={classes(
              'h-6 rounded-[4px] px-2 text-small font-medium',
              view === id ? 'bg-muted text-text' : 'text-text-2 hover:text-text',
            )}
          >
            {label}
          </button>
        ))}
      </div>
    </section>
  );
});
