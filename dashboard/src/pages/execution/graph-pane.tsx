import { Maximize, Minimize } from 'lucide-react';
import { lazy, memo, Suspense, useRef, useState, useSyncExternalStore } from 'react';
import { loadChunk } from '../../api/index.ts';
import { texts } from '../../texts/en/execution.ts';
import { classes, IconButton, Skeleton } from '../../ui/index.ts';
import { NodeTree } from './node-tree.tsx';
import type { NodesProps } from './nodes-props.ts';

/** On screens up to 767 pixels wide, the default view is the tree, because a graph would be too small to read. */
const NARROW = matchMedia('(max-width: 767px)');

const loadCanvas = () => loadChunk(() => import('./graph-canvas.tsx'));
const GraphCanvas = lazy(async () => ({ default: (await loadCanvas()).GraphCanvas }));
// Starts to load the code of the graph early, while the execution is still being fetched.
if (!NARROW.matches) void loadCanvas().catch(() => undefined);

function watchWidth(listener: () => void): () => void {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
}

function watchFullScreen(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}

const readWidth = (): boolean => NARROW.matches;

const VIEWS = [
  { id: 'graph', label: texts.graph },
  { id: 'tree', label: texts.tree },
] as const;

/** Shows the nodes of an execution as a graph or as a tree. */
export const GraphPane = memo(function GraphPane(props: NodesProps) {
  const [chosen, setView] = useState<'graph' | 'tree' | null>(null);
  const isNarrow = useSyncExternalStore(watchWidth, readWidth);
  const view = chosen ?? (isNarrow ? 'tree' : 'graph');
  const pane = useRef<HTMLElement>(null);
  const isFull = useSyncExternalStore(watchFullScreen, () => document.fullscreenElement !== null);
  const toggleFull = (): void =>
    void (isFull ? document.exitFullscreen() : pane.current?.requestFullscreen())?.catch(() => undefined);
  return (
    <section
      ref={pane}
      aria-label={texts.nodes}
      className={classes(
        'flex h-[clamp(250px,36vh,420px)] shrink-0 flex-col overflow-hidden border-b border-border bg-bg',
        view === 'tree' && 'max-lg:h-auto',
      )}
    >
      {/* The buttons have a row of their own, because buttons on top of the graph would hide nodes. */}
      <div className="flex shrink-0 items-center justify-end gap-1 px-2 pt-2">
        <div
          role="group"
          aria-label={texts.nodesView}
          className="flex rounded-sm border border-border bg-surface p-0.5"
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
        <IconButton
          label={isFull ? texts.leaveFullScreen : texts.fullScreen}
          icon={isFull ? <Minimize size={14} aria-hidden /> : <Maximize size={14} aria-hidden />}
          onClick={toggleFull}
        />
      </div>
      <div className="relative min-h-0 flex-1">
        {view === 'tree' ? (
          <NodeTree {...props} />
        ) : (
          <Suspense fallback={<Skeleton className="m-5 h-12 w-36" />}>
            <GraphCanvas {...props} />
          </Suspense>
        )}
      </div>
    </section>
  );
});
