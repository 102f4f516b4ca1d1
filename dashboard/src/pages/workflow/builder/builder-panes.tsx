import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { loadChunk, type NodeTypeView, useMay } from '../../../api/index.ts';
import type { Problem } from '../../../editor/json-editor.tsx';
import { placeOf, type TextRange } from '../../../editor/json-place.ts';
import { texts } from '../../../texts/en/workflow-builder.ts';
import { EmptyState, Skeleton, Tabs } from '../../../ui/index.ts';
import type { LiveWorkflow } from '../live-workflow.ts';
import { ProblemList } from '../problem-list.tsx';
import type { Problems } from '../use-problems.ts';
import { BuilderCanvas, type CanvasActions } from './builder-canvas.tsx';
import { builderLayout } from './builder-layout.ts';
import { addressKey, bodyOf, nodeAt } from './definition.ts';
import { NodeForm } from './node-form.tsx';
import { NodeTrial } from './node-trial.tsx';
import { NodePalette } from './node-palette.tsx';
import { problemAddress } from './problem-places.ts';
import { useAssist } from './use-assist.ts';
import type { Builder } from './use-builder.ts';
import { useExpressionContext } from './use-expressions.ts';

const DefinitionEditor = lazy(async () => ({
  default: (await loadChunk(() => import('../definition-editor.tsx'))).DefinitionEditor,
}));

interface BuilderPanesProps {
  readonly builder: Builder;
  readonly base: LiveWorkflow | null;
  readonly types: readonly NodeTypeView[];
  readonly problems: Problems;
  readonly readOnly: boolean;
}

export function BuilderPanes({ builder, base, types, problems, readOnly }: BuilderPanesProps) {
  const { definition, current, selected } = builder;
  const [tab, setTab] = useState('node');
  const [target, setTarget] = useState<TextRange | null>(null);
  const loopTypes = useMemo(
    () => new Set(types.filter(({ capabilities }) => capabilities.iterates).map(({ type }) => type)),
    [types],
  );
  const layout = useMemo(() => builderLayout(definition, loopTypes), [definition, loopTypes]);
  const byNode = useMemo(() => {
    const found = new Map<string, Problem[]>();
    for (const problem of problems.list) {
      const address = problemAddress(definition, problem);
      if (address === null) continue;
      const key = addressKey(address);
      found.set(key, [...(found.get(key) ?? []), problem]);
    }
    return found;
  }, [definition, problems.list]);
  const counts = useMemo(() => new Map([...byNode].map(([key, list]) => [key, list.length])), [byNode]);
  const expressions = useExpressionContext(
    base?.workflow ?? null,
    definition,
    current?.address ?? null,
    types,
  );
  const assist = useAssist(types, expressions);
  const currentType = types.find(({ type }) => type === current?.node.type);
  const savedDefinition = { nodes: base?.workflow.nodes ?? [] };
  const canTest =
    useMay()('executions:write') &&
    currentType?.capabilities.iterates === false &&
    !currentType.capabilities.starts_children;
  useUndoKeys(builder);
  const isLocked = readOnly || !builder.isReadable;
  const place = placeOfNext(builder, loopTypes);
  const actions: CanvasActions = {
    ...builder.canvas,
    select: (key, adding) => {
      setTab((open) => (open === 'problems' ? 'node' : open));
      builder.canvas.select(key, adding);
    },
  };
  const choose = (problem: Problem): void => {
    const address = problemAddress(definition, problem);
    if (address !== null) builder.select(address);
    setTab(address === null ? 'json' : 'node');
    if (address === null) setTarget(placeOf(builder.text, problem.field));
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
      <div className="relative z-10 min-w-0 overflow-hidden border-border bg-bg max-lg:shrink-0 max-lg:border-b lg:flex lg:w-[200px] lg:shrink-0 lg:flex-col lg:border-r">
        <NodePalette
          types={types}
          place={place.words}
          disabled={isLocked}
          onAdd={(type) => builder.canvas.add(type, place.loop, place.after)}
        />
      </div>
      <div className="relative h-[360px] min-w-0 overflow-hidden max-lg:shrink-0 lg:h-auto lg:flex-1">
        {definition.nodes.length === 0 && (
          <div className="pointer-events-none absolute inset-0 z-10 flex items-center justify-center">
            <EmptyState title={texts.noNodesYet}>{texts.emptyHint}</EmptyState>
          </div>
        )}
        <BuilderCanvas
          layout={layout}
          selected={selected}
          problems={counts}
          actions={actions}
          readOnly={isLocked}
        />
      </div>
      <section
        aria-label={texts.details}
        className="relative z-10 flex min-h-[420px] min-w-0 flex-col border-border bg-bg max-lg:border-t lg:w-[400px] lg:shrink-0 lg:border-l 2xl:w-[520px]"
      >
        <Tabs
          label={texts.details}
          selected={tab}
          onSelect={setTab}
          tabs={[
            {
              id: 'node',
              label: texts.node,
              content: (
                <div className="h-full overflow-auto">
                  {current === null ? (
                    <EmptyState
                      title={selected.size > 1 ? texts.nodesSelected(selected.size) : texts.noNodeSelected}
                    >
                      {selected.size > 1 ? texts.selectionHint : texts.noSelectionHint}
                    </EmptyState>
                  ) : (
                    <NodeForm
                      key={current.key}
                      definition={definition}
                      address={current.address}
                      node={current.node}
                      type={currentType}
                      loops={definition.nodes.filter(({ type }) => loopTypes.has(type)).map(({ id }) => id)}
                      problems={byNode.get(addressKey(current.address)) ?? []}
                      context={expressions}
                      actions={builder.form}
                      readOnly={isLocked}
                    >
                      {base !== null && canTest && currentType !== undefined && (
                        <NodeTrial
                          workflowId={base.workflow.id}
                          node={current.node}
                          saved={nodeAt(savedDefinition, current.address)}
                          type={currentType}
                          isInLoop={current.address.loop !== null}
                          last={expressions.last}
                        />
                      )}
                    </NodeForm>
                  )}
                </div>
              ),
            },
            {
              id: 'json',
              label: texts.json,
              content: (
                <div className="h-[420px] lg:h-full">
                  <Suspense fallback={<Skeleton className="h-full" />}>
                    <DefinitionEditor
                      label={texts.definition}
                      value={builder.text}
                      onChange={readOnly ? null : builder.write}
                      target={target}
                      problems={problems.list}
                      assist={assist}
                      withoutHistory
                    />
                  </Suspense>
                </div>
              ),
            },
            {
              id: 'problems',
              label:
                problems.list.length === 0 ? texts.problems : texts.problemsWithCount(problems.list.length),
              content: (
                <div className="h-full overflow-auto p-4">
                  <ProblemList problems={problems} onSelect={choose} />
                </div>
              ),
            },
          ]}
        />
      </section>
    </div>
  );
}

interface NextPlace {
  readonly loop: string | null;
  readonly after: string | null;
  readonly words: string;
}

/** The place for a new node: inside the selected loop if the loop is empty, otherwise after the selected node. */
function placeOfNext({ current }: Builder, loopTypes: ReadonlySet<string>): NextPlace {
  if (current === null) return { loop: null, after: null, words: texts.placeFirst };
  const { address, node } = current;
  const isEmptyLoop = loopTypes.has(node.type) && bodyOf(node).length === 0;
  if (isEmptyLoop) return { loop: address.id, after: null, words: texts.placeInside(address.id) };
  return { loop: address.loop, after: address.id, words: texts.placeAfter(address.id) };
}

/** Handles the keyboard shortcuts for undo and redo, wherever the focus is on the page. */
function useUndoKeys({ undo, redo }: Pick<Builder, 'undo' | 'redo'>): void {
  const latest = useRef({ undo, redo });
  useEffect(() => {
    latest.current = { undo, redo };
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) latest.current.redo();
      else latest.current.undo();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
