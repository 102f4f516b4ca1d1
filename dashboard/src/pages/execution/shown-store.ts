import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { ShownNode } from './node-words.ts';

/**
 * State of the nodes in the graph. Each node and edge subscribes on its own, so an event renders only the nodes and
 * edges that it affects.
 */
export class ShownStore {
  private nodes: ReadonlyMap<string, ShownNode> = new Map();
  private selected: string | null = null;
  private readonly listeners = new Map<string, Set<() => void>>();

  /**
   * Subscribes to the changes of one node.
   * @returns a function that ends the subscription
   */
  listen(id: string, listener: () => void): () => void {
    const own = this.listeners.get(id) ?? new Set();
    this.listeners.set(id, own.add(listener));
    return () => own.delete(listener);
  }

  read(id: string): ShownNode | undefined {
    return this.nodes.get(id);
  }

  isSelected(id: string): boolean {
    return this.selected === id;
  }

  show(nodes: readonly ShownNode[], selected: string | null): void {
    const { nodes: before, selected: selectedBefore } = this;
    this.nodes = new Map(nodes.map((shown) => [shown.node.id, shown]));
    this.selected = selected;
    for (const shown of nodes) if (before.get(shown.node.id) !== shown) this.notifyListeners(shown.node.id);
    if (selected === selectedBefore) return;
    for (const id of [selectedBefore, selected]) if (id !== null) this.notifyListeners(id);
  }

  private notifyListeners(id: string): void {
    for (const listener of this.listeners.get(id) ?? []) listener();
  }
}

export const Shown = createContext(new ShownStore());

export function useShown(id: string): ShownNode | undefined {
  const { store, listen } = useStore(id);
  return useSyncExternalStore(listen, () => store.read(id));
}

export function useIsSelected(id: string): boolean {
  const { store, listen } = useStore(id);
  return useSyncExternalStore(listen, () => store.isSelected(id));
}

function useStore(id: string) {
  const store = useContext(Shown);
  const listen = useCallback((listener: () => void) => store.listen(id, listener), [store, id]);
  return { store, listen };
}
