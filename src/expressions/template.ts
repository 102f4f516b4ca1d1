import { type Fault, at } from './fault.js';
import { type Expression, type References, SCOPE_ROOTS, compileExpression } from './expression.js';
import type { ExpressionScope } from './steps.js';
import { ExpressionSyntaxError } from './syntax.js';
import { Budget, TemplateBudget, checkTextLength, isList, setField, toText } from './value.js';
import type { Json, JsonObject } from './json.js';

export interface Template {
  readonly references: References;
  /** Where the document first references each node: path in the document, by node id. */
  readonly places: ReadonlyMap<string, string>;
  /** Where the document first references each secret: path in the document, by name of the secret. */
  readonly secretPlaces: ReadonlyMap<string, string>;
  /** Whether the document contains no expression. If true, `render` returns the document itself. */
  readonly isLiteral: boolean;
  render(scope: ExpressionScope): Json;
}

type Render = (scope: ExpressionScope, budget: TemplateBudget) => Json;

const OPEN = '{{';

/** Maximum number of errors that the compilation of a template reports before it stops. */
const MAX_FAULTS = 1_000;

/**
 * Compiles a JSON document whose strings may contain `{{ }}` expressions. A string that consists of one expression
 * renders to the value of the expression. In other strings, null renders as an empty text, and lists and maps as JSON.
 * @param literals top-level keys of the document whose values are not rendered
 * @returns a template, and at most 1,000 errors with their paths; a template with errors must not be rendered
 */
export function compileTemplate(
  value: Json,
  path: string,
  roots: readonly string[] = SCOPE_ROOTS,
  literals: readonly string[] = [],
): { template: Template; faults: readonly Fault[] } {
  const compiler = new TemplateCompiler(roots, new Set(literals.map((name) => at(path, name))));
  const render = compiler.compile(value, path);
  return {
    template: {
      references: compiler.references,
      places: compiler.places,
      secretPlaces: compiler.secretPlaces,
      isLiteral: render === null,
      render: render === null ? () => value : (scope) => render(scope, new TemplateBudget()),
    },
    faults: compiler.faults,
  };
}

/** Whether a JSON document contains `{{`, the start of an expression. */
export function mentionsExpression(value: Json): boolean {
  if (typeof value === 'string') return value.includes(OPEN);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((element: Json) => mentionsExpression(element));
}

class TemplateCompiler {
  readonly references = { roots: new Set<string>(), nodes: new Set<string>(), secrets: new Set<string>() };
  readonly places = new Map<string, string>();
  readonly secretPlaces = new Map<string, string>();
  readonly faults: Fault[] = [];

  constructor(
    private readonly roots: readonly string[],
    /** Paths of values in the document that are copied without rendering. */
    private readonly literals: ReadonlySet<string>,
  ) {}

  compile(value: Json, path: string): Render | null {
    if (this.literals.has(path) || this.faults.length >= MAX_FAULTS) return null;
    if (typeof value === 'string') return value.includes(OPEN) ? this.text(value, path) : null;
    if (typeof value !== 'object' || value === null) return null;
    return isList(value) ? this.list(value, path) : this.map(value, path);
  }

  private list(list: readonly Json[], path: string): Render | null {
    const parts = list.map((element, index) => ({ element, render: this.compile(element, at(path, index)) }));
    if (parts.every(({ render }) => render === null)) return null;
    return (scope, budget) =>
      parts.map(({ element, render }) => (render === null ? element : render(scope, budget)));
  }

  private map(map: JsonObject, path: string): Render | null {
    const entries = Object.entries(map);
    const parts = entries.map(([key, element]) => ({
      key,
      element,
      render: this.compile(element, at(path, key)),
    }));
    if (parts.every(({ render }) => render === null)) return null;
    return (scope, budget) => {
      const filled: Record<string, Json> = {};
      for (const { key, element, render } of parts)
        setField(filled, key, render === null ? element : render(scope, budget));
      return filled;
    };
  }

  private text(text: string, path: string): Render | null {
    const parts = this.parts(text, path);
    if (parts === null) return null;
    const expressions = parts.filter((part) => typeof part !== 'string');
    const [only] = expressions;
    if (
      only !== undefined &&
      expressions.length === 1 &&
      parts.every((part) => part === only || isBlank(part))
    ) {
      return (scope, budget) => only.evaluate(scope, budget);
    }
    return (scope, budget) => {
      const textBudget = new Budget(budget);
      let filled = '';
      for (const part of parts) {
        filled += typeof part === 'string' ? part : toText(textBudget, part.evaluate(scope, budget));
        checkTextLength(filled.length);
      }
      return filled;
    };
  }

  /** Splits a string into literal texts and expressions, in order. Null if one of the expressions is invalid. */
  private parts(text: string, path: string): readonly (string | Expression)[] | null {
    const parts: (string | Expression)[] = [];
    const faultsBefore = this.faults.length;
    let from = 0;
    for (
      let open = text.indexOf(OPEN);
      open >= 0 && this.faults.length < MAX_FAULTS;
      open = text.indexOf(OPEN, from)
    ) {
      const start = open + OPEN.length;
      const close = findClose(text, start);
      if (close < 0) {
        const message = `The \`{{\` at character ${open + 1} has no matching \`}}\`. To write the braces themselves, use \`{{ "{{" }}\`.`;
        this.faults.push({ path, code: 'expression_syntax', message });
        return null;
      }
      parts.push(text.slice(from, open));
      this.expression(text.slice(start, close).trim(), path, parts);
      from = close + OPEN.length;
    }
    parts.push(text.slice(from));
    return this.faults.length === faultsBefore ? parts : null;
  }

  private expression(source: string, path: string, parts: (string | Expression)[]): void {
    try {
      const expression = compileExpression(source, this.roots);
      for (const kind of ['roots', 'nodes', 'secrets'] as const) {
        for (const name of expression.references[kind]) this.references[kind].add(name);
      }
      for (const id of expression.references.nodes) if (!this.places.has(id)) this.places.set(id, path);
      for (const name of expression.references.secrets)
        if (!this.secretPlaces.has(name)) this.secretPlaces.set(name, path);
      parts.push(expression);
    } catch (error) {
      if (!(error instanceof ExpressionSyntaxError)) throw error;
      this.faults.push({ path, code: error.code, message: error.message });
    }
  }
}

function isBlank(part: string | Expression): boolean {
  return typeof part === 'string' && part.trim() === '';
}

/**
 * Index of the `}}` that ends the expression at index `from`, or -1 if there is no such `}}`. Braces in string
 * literals, comments and nested maps do not count.
 */
function findClose(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i += 1) {
    const character = text[i];
    if (character === '"' || character === "'") {
      i = endOfString(text, i);
      if (i < 0) return -1;
    } else if (character === '/' && text[i + 1] === '/') {
      i = text.indexOf('\n', i);
      if (i < 0) return -1;
    } else if (character === '{') depth += 1;
    else if (character === '}') {
      if (depth === 0) return text[i + 1] === '}' ? i : -1;
      depth -= 1;
    }
  }
  return -1;
}

/**
 * Index of the last character of the string literal that begins at `start`. Returns -1 if the literal is not
 * terminated.
 */
function endOfString(text: string, start: number): number {
  const quote = text[start] as string;
  const triple = quote.repeat(3);
  const delimiter = text.startsWith(triple, start) ? triple : quote;
  for (let i = start + delimiter.length; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text.startsWith(delimiter, i)) return i + delimiter.length - 1;
  }
  return -1;
}
