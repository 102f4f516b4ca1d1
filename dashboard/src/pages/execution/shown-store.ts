import { createContext, useContext, useSyncExternalStore } from 'react';
import type { ShownNode } from './node-words.ts';

/**
 * What the graph's nodes and edges look at, each for itself: the graph as a whole is laid out once, however often
 * something happens in it.
 */
export class ShownStore {
  private nodes = new Map<string, ShownNode>();
  private selected: string | null = null;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  read(id: string): ShownNode | undefined {
    return this.nodes.get(id);
  }

  isSelected(id: string): boolean {
    return this.selected === id;
  }

  show(nodes: readonly ShownNode[], selected: string | null): void {
    this.nodes = new Map(nodes.map((shown) => [shown.node.id, shown]));
    this.selected = selected;
    for (const listener of this.listeners) listener();
  }
}

export const Shown = createContext(new ShownStore());

export function useShown(id: string): ShownNode | undefined {
  const store = useContext(Shown);
  return useSyncExternalStore(store.subscribe, () => store.read(id));
}

export function useIsSelected(id: string): boolean {
  const store = useContext(Shown);
  return useSyncExternalStore(store.subscribe, () => store.isSelected(id));
}
