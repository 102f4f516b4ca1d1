export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** A compiled regular expression. A match takes at most (length of the text) x (number of instructions) steps. */
export interface LinearPattern {
  test(text: string): boolean;
  /** Returns the source of the pattern. The validation library ajv identifies patterns by this text. */
  toString(): string;
}

const MAX_SOURCE = 500;
/** Maximum number of instructions of a compiled pattern, counted after repetitions such as `{2,5}` are expanded. */
const MAX_PROGRAM = 2_000;

type Matcher = (character: string) => boolean;
type Assertion = 'start' | 'end' | 'boundary' | 'inside';
type Tree =
  | { readonly kind: 'character'; readonly matches: Matcher }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Tree[] }
  | { readonly kind: 'choice'; readonly options: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly body: Tree; readonly min: number; readonly max: number };
type Instruction =
  | { readonly op: 'character'; readonly matches: Matcher }
  | { readonly op: 'assertion'; readonly assertion: Assertion }
  | { readonly op: 'split'; readonly targets: number[] }
  | { readonly op: 'match' };

/**
 * Compiles an untrusted pattern (ECMAScript syntax, `u` flag). Matching simulates all states in parallel instead of
 * backtracking (Thompson 1968), so nested quantifiers cause no exponential cost.
 * @param spend called with the number of steps while a text is matched; may throw to stop the matching
 * @throws PatternError for a syntax error, a look-around, a back-reference or a pattern that is too large
 */
export function compileLinearPattern(
  source: string,
  spend: (steps: number) => void = () => {},
): LinearPattern {
  if (source.length > MAX_SOURCE)
    throw new PatternError(`must be a regular expression of at most ${MAX_SOURCE} characters`);
  try {
    new RegExp(source, 'u');
  } catch (error) {
    throw new PatternError(error instanceof Error ? error.message : 'must be a regular expression');
  }
  const program: Instruction[] = [];
  emit(new PatternParser(source).parse(), program);
  program.push({ op: 'match' });
  return { test: (text) => run(program, text, spend), toString: () => source };
}

/**
 * Parses the structure of a pattern: groups, alternatives and quantifiers. The native engine of JavaScript matches
 * classes and single characters.
 */
class PatternParser {
  private position = 0;

  constructor(private readonly source: string) {}

  parse(): Tree {
    const options = [this.sequence()];
    while (this.take('|')) options.push(this.sequence());
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  private sequence(): Tree {
    const parts: Tree[] = [];
    while (this.position < this.source.length && !this.ahead('|') && !this.ahead(')'))
      parts.push(this.term());
    return { kind: 'sequence', parts };
  }

  private term(): Tree {
    if (this.take('^')) return { kind: 'assertion', assertion: 'start' };
    if (this.take('$')) return { kind: 'assertion', assertion: 'end' };
    if (this.take('\\b')) return { kind: 'assertion', assertion: 'boundary' };
    if (this.take('\\B')) return { kind: 'assertion', assertion: 'inside' };
    return this.quantified(this.take('(') ? this.group() : { kind: 'character', matches: this.character() });
  }

  private group(): Tree {
    if (this.take('?') && !this.take(':') && !this.find(/<[^=!>][^>]*>/y))
      throw new PatternError('must be a regular expression without look-around or inline flags');
    const body = this.parse();
    this.take(')');
    return body;
  }

  private quantified(body: Tree): Tree {
    const found = this.find(/[*+?]|\{(\d+)(,(\d*))?\}/y);
    if (found === null) return body;
    this.take('?');
    const [sign, least, comma, most] = found;
    if (least === undefined)
      return { kind: 'repeat', body, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    const min = Number(least);
    return {
      kind: 'repeat',
      body,
      min,
      max: comma === undefined ? min : most === '' ? Infinity : Number(most),
    };
  }

  private character(): Matcher {
    if (this.find(/\\[1-9k]/y) !== null)
      throw new PatternError('must be a regular expression without back-references');
    const found = this.find(CHARACTER);
    if (found === null) throw new PatternError('must be a supported regular expression');
    const atom = found[0];
    if (!/^[.\\[]/.test(atom)) return (character) => character === atom;
    const native = new RegExp(`^${atom}$`, 'u');
    return (character) => native.test(character);
  }

  private ahead(text: string): boolean {
    return this.source.startsWith(text, this.position);
  }

  private take(text: string): boolean {
    if (!this.ahead(text)) return false;
    this.position += text.length;
    return true;
  }

  private find(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.position;
    const found = sticky.exec(this.source);
    if (found !== null) this.position = sticky.lastIndex;
    return found;
  }
}

/** Matches the part of a pattern that stands for one character: a class, an escape or the character itself. */
const CHARACTER =
  /\[(?:\\.|[^\]\\])*\]|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\[pPu]\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\.|[^\\]/suy;

function emit(tree: Tree, program: Instruction[]): void {
  if (program.length > MAX_PROGRAM)
    throw new PatternError('must be a regular expression with fewer or smaller repetitions');
  switch (tree.kind) {
    case 'character':
      program.push({ op: 'character', matches: tree.matches });
      return;
    case 'assertion':
      program.push({ op: 'assertion', assertion: tree.assertion });
      return;
    case 'sequence':
      for (const part of tree.parts) emit(part, program);
      return;
    case 'choice':
      emitChoice(tree.options, program);
      return;
    case 'repeat':
      emitRepeat(tree, program);
  }
}

function emitChoice(options: readonly Tree[], program: Instruction[]): void {
  const targets: number[] = [];
  const ends: number[][] = [];
  program.push({ op: 'split', targets });
  for (const option of options) {
    targets.push(program.length);
    emit(option, program);
    const end: number[] = [];
    ends.push(end);
    program.push({ op: 'split', targets: end });
  }
  for (const end of ends) end.push(program.length);
}

function emitRepeat(tree: Tree & { kind: 'repeat' }, program: Instruction[]): void {
  const { body, min, max } = tree;
  const before = program.length;
  for (let copy = 0; copy < min; copy++) {
    emit(body, program);
    // A repeated part that is empty, such as `()`, adds no instruction, so more copies would change nothing.
    // Without this return, `(){4000000000}` would block the event loop.
    if (program.length === before) return;
  }
  if (max === Infinity) {
    const head = program.length;
    const targets = [head + 1];
    program.push({ op: 'split', targets });
    emit(body, program);
    program.push({ op: 'split', targets: [head] });
    targets.push(program.length);
    return;
  }
  const exits: number[][] = [];
  for (let copy = min; copy < max; copy++) {
    const targets = [program.length + 1];
    exits.push(targets);
    program.push({ op: 'split', targets });
    emit(body, program);
  }
  for (const exit of exits) exit.push(program.length);
}

function run(program: readonly Instruction[], text: string, spend: (steps: number) => void): boolean {
  const characters = Array.from(text);
  const reachedAt = new Int32Array(program.length).fill(-1);
  let states: number[] = [];
  for (let position = 0; position <= characters.length; position++) {
    const matching: number[] = [];
    const pending = [...states, 0];
    let steps = 0;
    while (pending.length > 0) {
      const state = pending.pop()!;
      if (reachedAt[state] === position) continue;
      reachedAt[state] = position;
      steps++;
      const instruction = program[state]!;
      if (instruction.op === 'match') return true;
      if (instruction.op === 'split') pending.push(...instruction.targets);
      else if (instruction.op === 'character') matching.push(state);
      else if (holds(instruction.assertion, characters, position)) pending.push(state + 1);
    }
    spend(steps);
    const next = characters[position];
    if (next === undefined) return false;
    states = [];
    for (const state of matching) {
      const instruction = program[state]!;
      if (instruction.op === 'character' && instruction.matches(next)) states.push(state + 1);
    }
  }
  return false;
}

function holds(assertion: Assertion, characters: readonly string[], position: number): boolean {
  switch (assertion) {
    case 'start':
      return position === 0;
    case 'end':
      return position === characters.length;
    case 'boundary':
      return isWord(characters[position - 1]) !== isWord(characters[position]);
    case 'inside':
      return isWord(characters[position - 1]) === isWord(characters[position]);
  }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^\w$/.test(character);
}
