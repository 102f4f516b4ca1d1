import type { Json } from '../expressions/index.js';
import { readingsOf } from './decoded-text.js';
import { secretPatterns, SHORTEST_MASKED } from './secret-patterns.js';

interface Pattern {
  readonly text: string;
  readonly label: string;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** The start of a secret value that is cut off by the end of a truncated string. */
interface CutValue extends Found {
  readonly rest: string;
}

/**
 * Replaces the values of secrets with `[secret NAME]`. Also finds values that are encoded as base64, in a URL or in a
 * JSON string.
 */
export class SecretMask {
  private readonly added = new Set<string>();
  /** Forms of secret values to find, grouped by their first characters. Longer forms come first. */
  private readonly patterns = new Map<string, readonly Pattern[]>();
  /**
   * Character codes with which a pattern starts. Most positions of a string are skipped, because no pattern starts with
   * their character.
   */
  private readonly firstCodes = new Set<number>();

  get isEmpty(): boolean {
    return this.patterns.size === 0;
  }

  add(name: string, value: string): void {
    const key = `${name} ${value}`;
    if (this.added.has(key)) return;
    this.added.add(key);
    for (const text of secretPatterns(value)) {
      const start = text.slice(0, SHORTEST_MASKED);
      const known = this.patterns.get(start) ?? [];
      const label = `[secret ${name}]`;
      this.patterns.set(
        start,
        [...known, { text, label }].toSorted((one, other) => other.text.length - one.text.length),
      );
      this.firstCodes.add(text.charCodeAt(0));
    }
  }

  /** @returns the string itself if no secret value is found */
  text(text: string): string {
    return replaced(text, this.find(text));
  }

  /** Masks a string that may be truncated. A secret value that is cut off by the end of the string is masked too. */
  cutText(text: string): string {
    return replaced(text, joined([...this.find(text), ...this.findCut(text)]));
  }

  /** Masks consecutive lines, including secret values that span several lines. */
  lines(lines: readonly string[]): readonly string[] {
    const spread = this.find(lines.join(''));
    const rests: Pattern[] = [];
    let from = 0;
    return lines.map((line) => {
      const start = from;
      from += line.length;
      const own = spread
        .filter((one) => one.start < from && one.end > start)
        .map(({ label, ...one }) => ({
          start: Math.max(one.start - start, 0),
          end: Math.min(one.end - start, line.length),
          label,
        }));
      const cut = this.findCut(line);
      const found = joined([
        ...own,
        ...this.find(line),
        ...cut,
        ...rests.flatMap((rest) => allOf(line, rest)),
      ]);
      for (const { label, rest } of cut)
        if (rest.length >= SHORTEST_MASKED) rests.push({ text: rest, label });
      return replaced(line, found);
    });
  }

  /**
   * Masks the strings, keys and numbers of a JSON value. A number that contains the digits of a secret becomes a
   * string.
   */
  json(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') {
      const digits = String(value);
      return this.find(digits).length === 0 ? value : this.text(digits);
    }
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((element: Json) => this.json(element));
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [this.text(key), this.json(member)]),
    );
  }

  private find(text: string): readonly Found[] {
    if (this.isEmpty || text.length < SHORTEST_MASKED) return [];
    const found = this.findAsItIs(text);
    for (const reading of readingsOf(text))
      for (const { start, end, label } of this.findAsItIs(reading.text))
        found.push({ start: reading.places[start] ?? 0, end: reading.places[end] ?? text.length, label });
    return joined(found);
  }

  private findAsItIs(text: string): Found[] {
    const found: Found[] = [];
    for (let start = 0; start + SHORTEST_MASKED <= text.length; start += 1) {
      if (!this.firstCodes.has(text.charCodeAt(start))) continue;
      const pattern = this.patterns
        .get(text.slice(start, start + SHORTEST_MASKED))
        ?.find((candidate) => text.startsWith(candidate.text, start));
      if (pattern !== undefined)
        found.push({ start, end: start + pattern.text.length, label: pattern.label });
    }
    return found;
  }

  /** Finds secret values that are cut off by the end of a string. */
  private findCut(text: string): readonly CutValue[] {
    const found: CutValue[] = [];
    for (const [start, patterns] of this.patterns)
      for (const { text: pattern, label } of patterns) {
        const tail = Math.max(0, text.length - pattern.length + 1);
        for (let at = text.indexOf(start, tail); at >= 0; at = text.indexOf(start, at + 1))
          if (pattern.startsWith(text.slice(at)))
            found.push({ start: at, end: text.length, label, rest: pattern.slice(text.length - at) });
      }
    return found;
  }
}

function allOf(line: string, { text, label }: Pattern): readonly Found[] {
  const found: Found[] = [];
  for (let start = line.indexOf(text); start >= 0; start = line.indexOf(text, start + 1))
    found.push({ start, end: start + text.length, label });
  return found;
}

/** Sorts ranges by their start and merges overlapping ranges. */
function joined(found: readonly Found[]): readonly Found[] {
  const inOrder = found.toSorted((one, other) => one.start - other.start || other.end - one.end);
  const parts: Found[] = [];
  for (const one of inOrder) {
    const last = parts.at(-1);
    if (last === undefined || one.start >= last.end) parts.push(one);
    else if (one.end > last.end) parts[parts.length - 1] = { ...last, end: one.end };
  }
  return parts;
}

function replaced(text: string, found: readonly Found[]): string {
  if (found.length === 0) return text;
  let result = '';
  let from = 0;
  for (const { start, end, label } of found) {
    result += text.slice(from, start) + label;
    from = end;
  }
  return result + text.slice(from);
}
