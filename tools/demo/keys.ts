import type { ReadStream } from 'node:tty';

export type Key = 'open' | 'kill' | 'quit';

const KEYS: ReadonlyMap<string, Key> = new Map([
  ['o', 'open'],
  ['k', 'kill'],
  ['q', 'quit'],
  // In raw mode, the terminal sends this character for Ctrl-C, instead of the signal SIGINT.
  ['\u0003', 'quit'],
]);

/**
 * Calls `onKey` for each press of a known key, and with `quit` when the terminal closes.
 * @returns a function that stops listening
 */
export function listenToKeys(input: ReadStream, onKey: (key: Key) => void): () => void {
  const onData = (data: Buffer): void => {
    for (const letter of data.toString().toLowerCase()) {
      const key = KEYS.get(letter);
      if (key !== undefined) onKey(key);
    }
  };
  const onClosed = (): void => onKey('quit');
  input.setRawMode(true);
  input.resume().on('data', onData).on('end', onClosed).on('error', onClosed);
  return () => {
    input.off('data', onData).off('end', onClosed);
    if (!input.destroyed) input.setRawMode(false);
    input.pause();
  };
}
