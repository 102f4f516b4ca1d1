export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Splits a path into steps: `nodes[1].with.url` becomes `nodes`, 1, `with`, `url`. */
export function pathSteps(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([step, index]) =>
    index === undefined ? step : Number(index),
  );
}

/**
 * Returns the range of the value at a path in a JSON text. If the path does not exist, returns the range of its deepest
 * existing parent.
 */
export function placeOf(text: string, path: string): TextRange {
  let range: TextRange = { from: 0, to: 0 };
  try {
    const at = skipSpace(text, 0);
    range = { from: at, to: valueEnd(text, at) };
    for (const step of pathSteps(path)) {
      const next = childOf(text, range.from, step);
      if (next === undefined) return range;
      range = next;
    }
    return range;
  } catch (error) {
    if (error instanceof NotJson) return range;
    throw error;
  }
}

/**
 * Returns the id of the workflow node to which a path such as `nodes[1].with.url` belongs; undefined if there is no
 * such node.
 */
export function nodeAt(text: string, path: string): string | undefined {
  const [list, index] = pathSteps(path);
  if (list !== 'nodes' || typeof index !== 'number') return undefined;
  const { from, to } = placeOf(text, `nodes[${index}].id`);
  return /^"([a-z][a-z0-9_]{0,63})"$/.exec(text.slice(from, to))?.[1];
}

/** Thrown when a text is not valid JSON. */
class NotJson extends Error {
  override readonly name = 'NotJson';
}

function childOf(text: string, from: number, step: string | number): TextRange | undefined {
  const isArray = text[from] === '[';
  if (!isArray && text[from] !== '{') return undefined;
  let at = skipSpace(text, from + 1);
  for (let index = 0; text[at] !== ']' && text[at] !== '}'; index += 1) {
    let name: unknown = index;
    if (!isArray) {
      const end = valueEnd(text, at);
      name = JSON.parse(text.slice(at, end));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    const end = valueEnd(text, at);
    if (name === step) return { from: at, to: end };
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== ']' && text[at] !== '}') throw new NotJson();
  }
  return undefined;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \n\r\t'.includes(text[at] ?? '')) at += 1;
  return at;
}

function valueEnd(text: string, from: number): number {
  if (text[from] === '"') {
    for (let at = from + 1; at < text.length; at += 1) {
      if (text[at] === '\\') at += 1;
      else if (text[at] === '"') return at + 1;
    }
    throw new NotJson();
  }
  if (text[from] === '{' || text[from] === '[') {
    let depth = 0;
    for (let at = from; at < text.length; at += 1) {
      const char = text[at];
      if (char === '"') at = valueEnd(text, at) - 1;
      else if (char === '{' || char === '[') depth += 1;
      else if (char === '}' || char === ']') {
        depth -= 1;
        if (depth === 0) return at + 1;
      }
    }
    throw new NotJson();
  }
  let at = from;
  while (at < text.length && !',]} \n\r\t'.includes(text[at] ?? '')) at += 1;
  if (at === from) throw new NotJson();
  return at;
}
