import type { ReadStream } from 'node:tty';

export type Key = 'open' | 'kill' | 'quit';

const KEYS: ReadonlyMap<string, Key> = new Map([
  ['o', 'open'],
  ['k', 'kill'],
  ['q', 'quit'],
  // For Ctrl-C, a terminal in raw mode sends this character instead of SIGINT.
  ['\u0003', 'quit'],
]);

/** Calls `onKey` for each key press. @returns a function that stops listening */
export function listenToKeys(input: ReadStream, onKey: (key: Key) => void): () => void {
  const onData = (data: Buffer): void => {
    for (const letter of data.toString().toLowerCase()) {
      const key = KEYS.get(letter);
      if (key !== undefined) onKey(key);
    }
  };
  input.setRawMode(true);
  input.resume().on('data', onData);
  return () => {
    input.off('data', onData);
    input.setRawMode(false);
    input.pause();
  };
}
