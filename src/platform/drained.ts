import type { Writable } from 'node:stream';

/** Resolves when a stream whose buffer is full accepts more data, or when the stream is closed. */
export function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}
