import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react';
import { X } from 'lucide-react';
import { texts } from '../../../texts/en/workflow-builder.ts';

interface BuilderEdgeData extends Record<string, unknown> {
  readonly condition: string | null;
  /** Removes the edge from the workflow; null if the edge cannot be removed. */
  readonly onRemove: (() => void) | null;
}

/** An edge of the graph, labeled with the condition of its target node. */
export function BuilderEdge({ data, selected, ...ends }: EdgeProps<Edge<BuilderEdgeData>>) {
  const [path, x, y] = getBezierPath(ends);
  const condition = data?.condition ?? null;
  const onRemove = data?.onRemove ?? null;
  const showsRemove = selected === true && onRemove !== null;
  return (
    <>
      <BaseEdge path={path} interactionWidth={20} />
      {(condition !== null || showsRemove) && (
        <EdgeLabelRenderer>
          <div
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)`, zIndex: 1001 }}
            className="nodrag nopan pointer-events-auto absolute flex items-center gap-1"
          >
            {condition !== null && (
              <span
                title={texts.if(condition)}
                className="mono max-w-[112px] truncate rounded-sm border border-border bg-bg px-1.5 text-text-2"
              >
                {texts.if(condition)}
              </span>
            )}
            {showsRemove && (
              <button
                type="button"
                aria-label={texts.removeConnection}
                onClick={onRemove}
                className="flex size-6 items-center justify-center rounded-full border border-failed bg-surface text-failed"
              >
                <X size={12} aria-hidden />
              </button>
            )}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
}
