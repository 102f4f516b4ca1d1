import { useCallback, useMemo, useState } from 'react';
import type { NodeDto } from '../../../api/index.ts';
import { texts } from '../../../texts/en/workflow-builder.ts';
import { parseDefinition } from '../use-problems.ts';
import type { CanvasActions } from './builder-canvas.tsx';
import {
  addNode,
  type Address,
  addressKey,
  addressOf,
  bodyOf,
  connect,
  copyNodes,
  type Definition,
  disconnect,
  EditError,
  isNode,
  moveNode,
  nodeAt,
  pasteNodes,
  removeNodes,
  renameNode,
  updateNode,
} from './definition.ts';
import { type EditHistory, edited, historyOf, redone, undone } from './edit-history.ts';
import type { NodeFormActions } from './node-form.tsx';

/**
 * State and actions of the workflow builder. The graph is derived from the JSON text, so that the two cannot differ.
 */
export interface Builder {
  readonly text: string;
  /**
   * The definition in `text`. If `text` cannot be parsed, the definition from the last text that could be
   * parsed.
   */
  readonly definition: Definition;
  /** Whether `text` can be parsed as a definition. Otherwise the user cannot change the graph. */
  readonly isReadable: boolean;
  readonly selected: ReadonlySet<string>;
  /** The selected node; null unless exactly one node is selected. The key stays the same if the node is renamed. */
  readonly current: { readonly key: number; readonly address: Address; readonly node: NodeDto } | null;
  /** Message that explains why the last edit was refused; null if the last edit succeeded. */
  readonly refusal: string | null;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly write: (text: string) => void;
  /** Replaces the JSON text and clears the undo history. */
  readonly reset: (text: string) => void;
  readonly select: (address: Address) => void;
  readonly canvas: CanvasActions;
  readonly form: NodeFormActions;
}

interface State {
  readonly history: EditHistory;
  /** The definition from the last JSON text that could be parsed. */
  readonly definition: Definition;
  readonly isReadable: boolean;
  readonly selected: ReadonlySet<string>;
  /** Changes if the user selects other nodes, but not if a selected node is renamed. */
  readonly selection: number;
  readonly refusal: string | null;
}

type Selection = Pick<State, 'selected' | 'selection'>;

/** An edit after which other nodes are selected. */
interface SelectingEdit {
  readonly definition: Definition;
  readonly select: readonly Address[];
  /** Whether the edit only renamed the selected node. */
  readonly isRename?: boolean;
}

const NO_NODES: ReadonlySet<string> = new Set();
const EMPTY: Definition = { nodes: [] };

export function useBuilder(initial: string, starterOf: (type: string) => Omit<NodeDto, 'id'>): Builder {
  const [state, setState] = useState(() =>
    stateOf(historyOf(initial), EMPTY, { selected: NO_NODES, selection: 0 }),
  );
  const { history, definition, isReadable, selected, refusal } = state;

  const edit = useCallback(
    (change: (definition: Definition) => Definition | SelectingEdit, group: string | null = null) =>
      setState((before) => {
        if (!before.isReadable) return before;
        try {
          const result = change(before.definition);
          const {
            definition: next,
            select,
            isRename = false,
          } = isSelecting(result) ? result : { definition: result };
          const written = edited(before.history, JSON.stringify(next, null, 2), group);
          return stateOf(written, next, select === undefined ? before : selecting(before, select, isRename));
        } catch (error) {
          if (!(error instanceof EditError)) throw error;
          return { ...before, refusal: error.message };
        }
      }),
    [],
  );
  const go = useCallback(
    (step: (history: EditHistory) => EditHistory) =>
      setState((before) => stateOf(step(before.history), before.definition, before)),
    [],
  );
  const copySelected = (): string | null =>
    selected.size === 0 ? null : copyNodes(definition, [...selected].map(addressOf));
  const canvas = useMemo(
    (): Omit<CanvasActions, 'copySelected'> => ({
      select: (key, adding) =>
        setState((before) => ({
          ...before,
          refusal: null,
          selected: adding ? toggled(before.selected, key) : new Set([key]),
          selection: !adding && isOnly(before.selected, key) ? before.selection : before.selection + 1,
        })),
      selectNone: () => setState((before) => ({ ...before, ...selecting(before, []), refusal: null })),
      connect: (from, to) => edit((before) => connect(before, from, to)),
      disconnect: ({ from, to }) => edit((before) => disconnect(before, from, to)),
      add: (type, loop, after) =>
        edit((before) => {
          const added = addNode(before, loop, starterOf(type), after);
          return { definition: added.definition, select: [added.address] };
        }),
      move: (address, loop) => edit((before) => moved(before, address, loop)),
      removeSelected: () =>
        setState((before) => {
          if (before.selected.size === 0 || !before.isReadable) return before;
          const next = removeNodes(before.definition, [...before.selected].map(addressOf));
          const written = edited(before.history, JSON.stringify(next, null, 2), null);
          return stateOf(written, next, selecting(before, []));
        }),
      paste: (text) =>
        edit((before) => {
          const pasted = pasteNodes(before, null, text);
          return { definition: pasted.definition, select: pasted.addresses };
        }),
    }),
    [edit, starterOf],
  );
  const form = useMemo(
    (): NodeFormActions => ({
      change: (address, change, group) => edit((before) => updateNode(before, address, change), group),
      rename: (address, id) => {
        // A refused id throws an error before the state changes, so that the id field can show the error.
        renameNode(definition, address, id);
        edit((before) => ({
          definition: renameNode(before, address, id),
          select: [{ ...address, id }],
          isRename: true,
        }));
      },
      connect: (from, to) => edit((before) => connect(before, from, to)),
      disconnect: (from, to) => edit((before) => disconnect(before, from, to)),
      move: (address, loop) => edit((before) => moved(before, address, loop)),
      remove: (address) => edit((before) => ({ definition: removeNodes(before, [address]), select: [] })),
    }),
    [edit, definition],
  );
  const [only] = selected.size === 1 ? selected : [];
  const address = only === undefined ? null : addressOf(only);
  const node = address === null ? undefined : nodeAt(definition, address);
  return {
    text: history.present,
    definition,
    isReadable,
    selected,
    current: address === null || node === undefined ? null : { key: state.selection, address, node },
    refusal,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => go(undone),
    redo: () => go(redone),
    write: (next) => go((before) => edited(before, next, 'text')),
    reset: (next) => setState((before) => stateOf(historyOf(next), EMPTY, selecting(before, []))),
    select: (next) => canvas.select(addressKey(next), false),
    canvas: { ...canvas, copySelected },
    form,
  };
}

/**
 * Parses a definition from JSON text.
 * @returns an error if the JSON is invalid, or if a node has no id or type
 */
export function readDefinition(text: string): Definition | Error {
  const parsed = parseDefinition(text);
  if (parsed instanceof Error) return parsed;
  const { nodes = [] } = parsed;
  if (!Array.isArray(nodes) || !nodes.every(isNode)) return new Error(texts.nodesIncomplete);
  return { ...parsed, nodes };
}

function stateOf(history: EditHistory, last: Definition, { selected, selection }: Selection): State {
  const read = readDefinition(history.present);
  const isReadable = !(read instanceof Error);
  const definition = isReadable ? read : last;
  const kept = [...selected].filter((key) => nodeAt(definition, addressOf(key)) !== undefined);
  return {
    history,
    definition,
    isReadable,
    selected: kept.length === selected.size ? selected : new Set(kept),
    selection: kept.length === selected.size ? selection : selection + 1,
    refusal: null,
  };
}

function moved(before: Definition, address: Address, loop: string | null) {
  const node = nodeAt(before, address);
  if (loop !== null && node !== undefined && bodyOf(node).length > 0) throw new EditError(texts.loopInLoop);
  const result = moveNode(before, address, loop);
  return { definition: result.definition, select: [result.address] };
}

function isSelecting(value: Definition | SelectingEdit): value is SelectingEdit {
  return 'select' in value && 'definition' in value;
}

/** @param isRename whether the selected node only got another id */
function selecting({ selection }: Selection, addresses: readonly Address[], isRename = false): Selection {
  return { selected: new Set(addresses.map(addressKey)), selection: isRename ? selection : selection + 1 };
}

function isOnly(keys: ReadonlySet<string>, key: string): boolean {
  return keys.size === 1 && keys.has(key);
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
