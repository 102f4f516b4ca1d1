import { Script } from 'node:vm';

/**
 * Constructor of async functions. The constructor parses a text as the body of a function without running the text. A
 * text that closes the function early is a syntax error.
 */
const AsyncFunction = (async () => undefined).constructor as new (parameter: string, body: string) => unknown;

/**
 * Returns the syntax error in the body of an async function, or null for a body without an error. The line of the error
 * is null if the line is unknown.
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
 * Returns the line of a syntax error, or null. Parses the source again as a `Script`, because only the error stack of a
 * `Script` begins with the line.
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
