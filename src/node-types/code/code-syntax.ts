import { Script } from 'node:vm';

/**
 * Constructor of async functions. It parses a text as a complete function body: a text that closes the function early
 * is a syntax error. Parsing runs nothing.
 */
const AsyncFunction = (async () => undefined).constructor as new (parameter: string, body: string) => unknown;

/**
 * Returns the syntax error in the body of an async function, with its line (null if unknown). Null if the body parses.
 */
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

/**
 * The line of a syntax error. The Function constructor does not report a line, but the stack of a `Script`'s syntax
 * error begins with the line.
 */
function lineOf(source: string): number | null {
  try {
    new Script(`(async function (input) {\n${source}\n})`, { filename: 'source', lineOffset: -1 });
    return null;
  } catch (error) {
    const line = /^source:(\d+)/.exec(error instanceof Error ? (error.stack ?? '') : '')?.[1];
    return line === undefined ? null : Number(line);
  }
}
