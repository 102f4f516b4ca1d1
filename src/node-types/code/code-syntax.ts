import { Script } from 'node:vm';

/** The body of such a function is parsed by itself: text that closes it and goes on is a fault. Nothing runs. */
const AsyncFunction = (async () => undefined).constructor as new (parameter: string, body: string) => unknown;

/** What is wrong with the body of an async function, and on which of its lines; null where it can be parsed. */
export function codeSyntaxFault(
  source: string,
): { readonly message: string; readonly line: number | null } | null {
  try {
    new AsyncFunction('input', source);
    return null;
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error), line: lineOf(source) };
  }
}

/** A function's constructor does not tell the place; a script does, at the head of its error's stack. */
function lineOf(source: string): number | null {
  try {
    new Script(`(async function (input) {\n${source}\n})`, { filename: 'source', lineOffset: -1 });
    return null;
  } catch (error) {
    const line = /^source:(\d+)/.exec(error instanceof Error ? (error.stack ?? '') : '')?.[1];
    return line === undefined ? null : Number(line);
  }
}
