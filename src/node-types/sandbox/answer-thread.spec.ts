import { afterEach, describe, expect, it } from 'vitest';
import { LongValue } from '../../long-values/index.js';
import { AnswerThread } from './answer-thread.js';

const answers = new AnswerThread();
afterEach(() => answers.close());

const LONG = 'x'.repeat(100_000);
const line = (output: string): readonly Buffer[] =>
  pieces(`{"kind":"output","output":${output},"logs":["a line"]}`);

/** Splits a text into two chunks as a pipe delivers them. The last chunk is a slice of a larger buffer. */
function pieces(text: string): readonly Buffer[] {
  const bytes = Buffer.from(`${text}\n`);
  const half = Math.ceil(bytes.length / 2);
  return [Buffer.concat([bytes.subarray(0, half)]), bytes.subarray(half, bytes.length - 1)];
}

describe('AnswerThread', () => {
  it('a short answer of a sandbox process is parsed on the main thread, without the worker thread', () => {
    expect(answers.read(line('{"a":1}'))).toEqual({ kind: 'output', output: { a: 1 }, logs: ['a line'] });
    expect(answers.read(pieces('no JSON'))).toBeNull();
  });

  it('the worker thread that parses sandbox answers returns a long output as canonical JSON text', async () => {
    const answer = await answers.read(line(` { "a" : "${LONG}", "b": 1.0, "b": 2 } `));
    expect(answer).toEqual({
      kind: 'output',
      output: LongValue.ofText(`{"a":"${LONG}","b":2}`),
      logs: ['a line'],
    });
  });

  it('the worker thread that parses sandbox answers reports a long output that is nested too deeply', async () => {
    const deep = '['.repeat(40_000) + ']'.repeat(40_000);
    expect(await answers.read(line(deep))).toEqual({ kind: 'too_deep' });
  });

  it('the worker thread that parses sandbox answers returns null for a long line that is not a valid answer', async () => {
    const failure = { kind: 'failure', reason: 'error', message: LONG, details: {} };
    const read = [JSON.stringify(failure), LONG, `{"kind":"${LONG}"}`].map(async (text) =>
      answers.read(pieces(text)),
    );
    expect(await Promise.all(read)).toEqual([failure, null, null]);
  });

  it('when the worker thread that parses sandbox answers is closed, a read in progress returns null', async () => {
    const reading = answers.read(line(`"${LONG}"`));
    await answers.close();
    expect(await reading).toBeNull();
    expect(await answers.read(line(`"${LONG}"`))).toMatchObject({ kind: 'output' });
  });
});
