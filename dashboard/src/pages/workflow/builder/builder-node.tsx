import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { CircleAlert } from 'lucide-react';
import { texts } from '../../../texts/en/workflow-builder.ts';
import { classes } from '../../../ui/index.ts';
import { FRAME_HEADER, type PlacedNode } from './builder-layout.ts';
import { bodyOf } from './definition.ts';

export interface BuilderNodeData extends Record<string, unknown> {
  readonly placed: PlacedNode;
  readonly isSelected: boolean;
  readonly problems: number;
  readonly onSelect: (key: string, adding: boolean) => void;
}

export function BuilderNode({ data, width, height }: NodeProps<Node<BuilderNodeData>>) {
  const { placed, isSelected } = data;
  const { isLoop, node } = placed;
  const isEmpty = isLoop && bodyOf(node).length === 0;
  return (
    <>
      <Handle type="target" position={Position.Left} style={isLoop ? { top: FRAME_HEADER / 2 } : {}} />
      <div
        style={{ width, height }}
        className={classes(
          'overflow-hidden rounded-md border',
          isLoop ? 'border-dashed bg-[color-mix(in_srgb,var(--muted)_60%,transparent)]' : 'bg-surface',
          data.problems > 0 ? 'border-failed' : isLoop ? 'border-control' : 'border-border',
          isSelected && 'outline-2 outline-offset-1 outline-accent',
        )}
      >
        <NodeButton data={data} />
        {isEmpty && <p className="px-3 text-small text-text-2">{texts.dropIntoLoop}</p>}
      </div>
      <Handle type="source" position={Position.Right} style={isLoop ? { top: FRAME_HEADER / 2 } : {}} />
    </>
  );
}

function NodeButton({
  data: { placed, isSelected, problems, onSelect },
}: {
  readonly data: BuilderNodeData;
}) {
  const { node, key } = placed;
  return (
    <button
      type="button"
      data-node={key}
      aria-pressed={isSelected}
      title={node.name ?? node.id}
      onClick={(event) => onSelect(key, event.shiftKey)}
      className="pointer-events-auto relative flex h-[50px] w-full flex-col justify-center pr-2 pl-3 text-left focus-visible:-outline-offset-2"
    >
      <span
        aria-hidden
        className={classes('absolute inset-y-0 left-0 w-[3px]', problems > 0 ? 'bg-failed' : 'bg-control')}
      />
      <span className="flex w-full items-center gap-1.5">
        <span className="truncate font-medium">{node.name ?? node.id}</span>
        {problems > 0 && (
          <CircleAlert
            size={13}
            aria-label={texts.problemCount(problems)}
            className="ml-auto shrink-0 text-failed"
          />
        )}
      </span>
      <span className="label block w-full truncate font-normal">
        {node.type}
        {node.name !== undefined && ` · ${node.id}`}
      </span>
    </button>
  );
}
