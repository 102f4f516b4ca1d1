import { type ReactNode, useEffect, useRef } from 'react';
import type { ExecutionDiffView } from '../../api/index.ts';
import { duration } from '../../format/index.ts';
import { texts } from '../../texts/en/comparison.ts';
import { isStatus, StatusBadge, useUrlSearch } from '../../ui/index.ts';
import { ValueDiff } from './value-diff.tsx';

type NodeDiff = ExecutionDiffView['nodes'][number];

interface NodeDiffsProps {
  readonly diff: ExecutionDiffView;
  readonly onlyDifferences: boolean;
}

export function NodeDiffs({ diff, onlyDifferences }: NodeDiffsProps) {
  const [{ node: selected }] = useUrlSearch();
  const shown = diff.nodes.filter(
    ({ node_id: id, equal }) => !onlyDifferences || equal !== true || id === selected,
  );
  const { only_base: onlyBase, only_other: onlyOther } = diff.path;
  return (
    <section aria-label={texts.path}>
      <h2 className="mb-2 text-title font-semibold">{texts.path}</h2>
      {shown.length === 0 && <p className="text-text-2">{texts.noDifference}</p>}
      <ul className="flex flex-col">
        {shown.map((node) => (
          <li key={`${node.node_id} ${node.iteration ?? ''}`} className="border-t border-border">
            <NodeDetails isSelected={node.node_id === selected}>
              <summary className="grid cursor-pointer grid-cols-2 items-center gap-x-3 gap-y-1 py-2 lg:grid-cols-[1fr_8rem_1fr_1fr]">
                <span className="font-medium wrap-anywhere">{nameOf(node)}</span>
                <span className="text-text-2">{verdictOf(node, onlyBase, onlyOther)}</span>
                <Side label={texts.base} side={node.base} />
                <Side label={texts.other} side={node.other} />
              </summary>
              <div className="flex flex-col gap-3 pb-4">
                <Titled title={texts.inputOf(nameOf(node))} diff={node.input} />
                <Titled title={texts.outputOf(nameOf(node))} diff={node.output} />
              </div>
            </NodeDetails>
          </li>
        ))}
      </ul>
      {diff.nodes_truncated && <p className="mt-2 text-text-2">{texts.truncated}</p>}
    </section>
  );
}

function NodeDetails({
  isSelected,
  children,
}: {
  readonly isSelected: boolean;
  readonly children: ReactNode;
}) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isSelected || details.current === null) return;
    details.current.open = true;
    details.current.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return <details ref={details}>{children}</details>;
}

function Titled({ title, diff }: { readonly title: string; readonly diff: NodeDiff['input'] }) {
  return (
    <div>
      <h3 className="mb-1 font-medium">{title}</h3>
      <ValueDiff label={title} diff={diff} />
    </div>
  );
}

function Side({ label, side }: { readonly label: string; readonly side: NodeDiff['base'] }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2">
      <span className="sr-only">{label}: </span>
      {side === null ? (
        <span className="text-text-3">{texts.notThere}</span>
      ) : (
        <>
          {isStatus(side.status) ? <StatusBadge status={side.status} /> : side.status}
          {side.duration_ms !== null && <span className="num text-text-2">{duration(side.duration_ms)}</span>}
          {side.attempts > 1 && <span className="text-text-2">{texts.attempts(side.attempts)}</span>}
        </>
      )}
      {side?.error !== null && side?.error !== undefined && (
        <span className="text-failed wrap-anywhere">{side.error.message}</span>
      )}
    </span>
  );
}

function nameOf({ node_id: id, iteration }: NodeDiff): string {
  return iteration === null ? id : texts.nodeWithItem(id, iteration);
}

function verdictOf(
  { node_id: id, iteration, equal }: NodeDiff,
  onlyBase: readonly string[],
  onlyOther: readonly string[],
): string {
  if (iteration === null && onlyBase.includes(id)) return texts.onlyBase;
  if (iteration === null && onlyOther.includes(id)) return texts.onlyOther;
  return equal === null ? texts.unknown : equal ? texts.equal : texts.differs;
}
