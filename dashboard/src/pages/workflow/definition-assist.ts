import type { CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { EditorView, Tooltip } from '@codemirror/view';
import { type DefinitionSchemas, describe, fieldsOf, isNodePath, schemaAt } from './definition-schema.ts';
import type { ExpressionContext } from './expression-completions.ts';
import { completionsAt, rangeAt } from './expression-source.ts';

type Path = readonly (string | number)[];
type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

export interface Assist {
  readonly schemas: DefinitionSchemas;
  readonly expressions: ExpressionContext;
}

/** Completes field names, node types, node ids, enumerated values and expressions in the JSON of a definition. */
export function definitionSource(assist: () => Assist | null): CompletionSource {
  return (context) => {
    const known = assist();
    if (known === null) return null;
    const { state, pos } = context;
    const node = syntaxTree(state).resolveInner(pos, -1);
    if (node.name === 'PropertyName') return fieldNames(known, context, node);
    if (node.name === 'String') return inString(known, context, node);
    if ((node.name === 'Object' || node.name === '⚠') && context.explicit)
      return fieldNames(known, context, null);
    return null;
  };
}

/** Shows a tooltip with the description of the field under the pointer. */
export function definitionHover(assist: () => Assist | null) {
  return (view: EditorView, pos: number): Tooltip | null => {
    const known = assist();
    const node = syntaxTree(view.state).resolveInner(pos, 0);
    if (known === null || node.name !== 'PropertyName') return null;
    const path = [...pathOf(view.state, node.parent?.parent ?? node), nameOf(view.state, node)];
    const schema = schemaAt(known.schemas, path, (at) => valueAt(view.state, at));
    if (schema === undefined) return null;
    return {
      pos: node.from,
      end: node.to,
      above: true,
      create: () => {
        const dom = document.createElement('div');
        dom.style.whiteSpace = 'pre-wrap';
        dom.textContent = describe(schema);
        return { dom };
      },
    };
  };
}

function fieldNames(
  { schemas }: Assist,
  { state, pos }: CompletionContext,
  node: SyntaxNode | null,
): CompletionResult | null {
  const object = enclosing(node ?? syntaxTree(state).resolveInner(pos, -1), 'Object');
  if (object === null) return null;
  const schema = schemaAt(schemas, pathOf(state, object), (at) => valueAt(state, at));
  const present = new Set(
    object.getChildren('Property').flatMap((property) => {
      const name = property.getChild('PropertyName');
      return name === null || name.from === node?.from ? [] : [nameOf(state, name)];
    }),
  );
  const hasValue = node !== null && /^\s*:/.test(state.sliceDoc(node.to, node.to + 10));
  return {
    from: node === null ? pos : node.from,
    to: node === null ? pos : node.to,
    options: fieldsOf(schemas, schema)
      .filter(([name]) => !present.has(name))
      .map(([name, field]) => ({
        label: `"${name}"`,
        detail: typeof field['type'] === 'string' ? field['type'] : '',
        info: describe(field),
        apply: hasValue ? `"${name}"` : `"${name}": `,
      })),
    validFor: /^"?\w*"?$/,
  };
}

function inString(
  assist: Assist,
  { state, pos, explicit }: CompletionContext,
  node: SyntaxNode,
): CompletionResult | null {
  const text = state.sliceDoc(node.from, node.to);
  const path = pathOf(state, node);
  const field = path.at(-1);
  const within = pos - node.from;
  const isCondition = field === 'if' && isNodePath(path.slice(0, -1));
  const range = isCondition ? { from: 1, to: text.length - 1 } : rangeAt(text, within);
  if (range !== undefined) {
    const found = completionsAt(text, range, { pos: within, explicit }, assist.expressions);
    return found === null ? null : { ...found, from: node.from + found.from };
  }
  const options = choicesAt(assist, state, path);
  if (options.length === 0) return null;
  return {
    from: node.from,
    to: node.to,
    options: options.map(({ label, detail }) => ({ label: JSON.stringify(label), detail })),
    validFor: /^"?[\w.-]*"?$/,
  };
}

function choicesAt(
  { schemas, expressions }: Assist,
  state: EditorState,
  path: Path,
): readonly { readonly label: string; readonly detail: string }[] {
  const field = path.at(-1);
  if (field === 'type' && isNodePath(path.slice(0, -1)))
    return schemas.types.map(({ type, title }) => ({ label: type, detail: title }));
  if (path.at(-2) === 'needs') return expressions.nodes.map(({ id, type }) => ({ label: id, detail: type }));
  const options = schemaAt(schemas, path, (at) => valueAt(state, at))?.['enum'];
  return Array.isArray(options)
    ? options.flatMap((label: unknown) => (typeof label === 'string' ? [{ label, detail: '' }] : []))
    : [];
}

function pathOf(state: EditorState, node: SyntaxNode): Path {
  const steps: (string | number)[] = [];
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent) {
    const { parent } = at;
    if (parent?.name === 'Property' && at.name !== 'PropertyName') {
      const name = parent.getChild('PropertyName');
      if (name !== null) steps.unshift(nameOf(state, name));
    } else if (parent?.name === 'Array') steps.unshift(indexIn(parent, at));
  }
  return steps;
}

function indexIn(array: SyntaxNode, item: SyntaxNode): number {
  let index = 0;
  for (let at = array.firstChild; at !== null && at.from < item.from; at = at.nextSibling)
    if (!'[],⚠'.includes(at.name)) index += 1;
  return index;
}

function valueAt(state: EditorState, path: Path): unknown {
  let node: SyntaxNode | null = syntaxTree(state).topNode.firstChild;
  for (const step of path) {
    if (node === null) return undefined;
    node =
      typeof step === 'number'
        ? (childrenOf(node)[step] ?? null)
        : (node.getChildren('Property').find((property) => {
            const name = property.getChild('PropertyName');
            return name !== null && nameOf(state, name) === step;
          })?.lastChild ?? null);
  }
  return node?.name === 'String' ? nameOf(state, node) : undefined;
}

function childrenOf(array: SyntaxNode): readonly SyntaxNode[] {
  const items: SyntaxNode[] = [];
  for (let at = array.firstChild; at !== null; at = at.nextSibling)
    if (!'[],⚠'.includes(at.name)) items.push(at);
  return items;
}

function enclosing(node: SyntaxNode, name: string): SyntaxNode | null {
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent) if (at.name === name) return at;
  return null;
}

function nameOf(state: EditorState, node: SyntaxNode): string {
  return state.sliceDoc(node.from, node.to).replace(/^"|"$/g, '');
}
