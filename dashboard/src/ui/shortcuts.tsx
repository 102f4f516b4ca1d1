import {
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { texts } from '../texts/en/ui.ts';
import { readStored, useStored } from './stored.ts';

export interface Shortcut {
  /** One key, or two keys to press in sequence: `t`, `g w`. */
  readonly keys: string;
  readonly label: string;
  readonly group: string;
  readonly run: () => void;
}

const SINGLE_KEYS = 'single-keys';
/** Maximum time between the two keys of a sequence, in milliseconds. */
const SEQUENCE_MS = 1000;

class Shortcuts {
  private list: readonly Shortcut[] = [];
  private readonly listeners = new Set<() => void>();
  private first: { readonly key: string; readonly at: number } | undefined;

  readonly read = (): readonly Shortcut[] => this.list;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  add(shortcut: Shortcut): () => void {
    this.change([...this.list, shortcut]);
    return () => this.change(this.list.filter((each) => each !== shortcut));
  }

  readonly press = (event: KeyboardEvent): void => {
    if (
      readStored(SINGLE_KEYS) === 'off' ||
      isTyping(event) ||
      event.metaKey ||
      event.ctrlKey ||
      event.altKey
    )
      return;
    // An open dialog or menu disables shortcuts.
    if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return;
    const { key } = event;
    const sequence =
      this.first !== undefined && event.timeStamp - this.first.at < SEQUENCE_MS
        ? `${this.first.key} ${key}`
        : key;
    const found =
      this.list.findLast(({ keys }) => keys === sequence) ?? this.list.findLast(({ keys }) => keys === key);
    this.first = found === undefined ? { key, at: event.timeStamp } : undefined;
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  };

  private change(list: readonly Shortcut[]): void {
    this.list = list;
    for (const listener of this.listeners) listener();
  }
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.shadowRoot !== null ||
      target.closest('input, textarea, select') !== null)
  );
}

const Known = createContext<Shortcuts | null>(null);

export function ShortcutsProvider({ children }: { readonly children: ReactNode }) {
  const [shortcuts] = useState(() => new Shortcuts());
  // Layout effects run before the browser paints, so a shortcut works as soon as its component is visible.
  useLayoutEffect(() => {
    addEventListener('keydown', shortcuts.press);
    return () => removeEventListener('keydown', shortcuts.press);
  }, [shortcuts]);
  return <Known value={shortcuts}>{children}</Known>;
}

interface ShortcutOptions {
  /** Heading under which the list of shortcuts shows the shortcut. */
  readonly group?: string;
  readonly enabled?: boolean;
}

/** Registers a keyboard shortcut that works while the calling component is mounted. */
export function useShortcut(
  keys: string,
  label: string,
  run: () => void,
  options: ShortcutOptions = {},
): void {
  const { group = texts.thisPage, enabled = true } = options;
  const shortcuts = useContext(Known);
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  useLayoutEffect(() => {
    if (!enabled || shortcuts === null) return undefined;
    return shortcuts.add({ keys, label, group, run: () => latest.current() });
  }, [shortcuts, keys, label, group, enabled]);
}

const NONE: readonly Shortcut[] = [];

export function useShortcuts(): readonly Shortcut[] {
  const shortcuts = useContext(Known);
  return useSyncExternalStore(
    shortcuts?.subscribe ?? (() => () => undefined),
    shortcuts?.read ?? (() => NONE),
  );
}

/** Returns whether single-key shortcuts are enabled. Users of speech input may disable them. */
export function useSingleKeys(): readonly [on: boolean, set: (on: boolean) => void] {
  const [stored, setStored] = useStored(SINGLE_KEYS);
  return [stored !== 'off', (on) => setStored(on ? null : 'off')];
}
