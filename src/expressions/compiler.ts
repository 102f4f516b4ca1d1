import type { Call } from './call.js';
import { FUNCTIONS, METHODS } from './functions.js';
import { type Site, OPERATORS, negate, not } from './operators.js';
import {
  type Loop,
  type Step,
  bindStep,
  boolStep,
  existsOneLoopStep,
  filterLoopStep,
  jsonStep,
  logicalStep,
  mapLoopStep,
  mapStep,
  optionalStep,
  quantifierLoopStep,
  rootStep,
  selectionStep,
  sortByLoopStep,
} from './steps.js';
import {
  type ExpressionNode,
  checkArity,
  constantText,
  literalOf,
  pathOf,
  syntaxFault,
  unknownCall,
  unknownName,
} from './syntax.js';
import { type Value, lookUp, unwrap } from './value.js';
import type { Json } from './json.js';

/** Maximum nesting depth of the parts of an expression. */
const MAX_DEPTH = 200;

/** Maximum nesting depth of macros that iterate, such as `map` and `filter`. */
const MAX_LOOPS = 3;

/**
 * Variables that must be followed by a constant name, as in `nodes.load`. The compiler therefore knows which nodes and
 * secrets an expression reads.
 */
const KEYED_ROOTS: ReadonlySet<string> = new Set(['nodes', 'secrets']);

/** Prefixes of function names, as in `math.floor`. */
const NAMESPACES: ReadonlySet<string> = new Set(['math', 'optional', 'cel']);

const LOOPS = ['all', 'exists', 'exists_one', 'filter', 'map', 'sortBy'] as const;
type LoopName = (typeof LOOPS)[number];

const OPTIONAL_ARITY = { orValue: 1, or: 1, hasValue: 0, value: 0 } as const;

/**
 * Compiles the syntax tree of a CEL expression into functions over plain JSON. Each expression needs a new compiler.
 */
export class ExpressionCompiler {
  readonly references = { roots: new Set<string>(), nodes: new Set<string>(), secrets: new Set<string>() };
  private readonly locals: string[] = [];
  private depth = 0;
  private loops = 0;
  /**
   * Number of syntax nodes that were compiled so far. One iteration of a macro costs 1 plus the number of
   * syntax nodes in its body.
   */
  private compiled = 0;

  constructor(private readonly roots: readonly string[]) {}

  /**
   * Compiles a node of the syntax tree.
   * @param whole source text of the complete path, such as `a.b.c`, if the node is only its first part; error messages
   *   contain this text
   * @throws ExpressionSyntaxError
   */
  compile(node: ExpressionNode, whole: string | null = null): Step {
    this.compiled += 1;
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw syntaxFault(node, `The expression is nested deeper than ${MAX_DEPTH}.`);
    const step = this.compileNode(node, whole ?? pathOf(node));
    this.depth -= 1;
    return step;
  }

  private compileNode(node: ExpressionNode, whole: string): Step {
    switch (node.op) {
      case 'value': {
        const value = literalOf(node, node.args);
        return () => value;
      }
      case 'id':
        return this.name(node, node.args);
      case '.':
      case '.?':
        return this.selection(node, node.args[0], node.args[1], whole);
      case '[]':
      case '[?]':
        return this.selection(node, node.args[0], constantText(node.args[1]) ?? node.args[1], whole);
      case 'call':
        return this.call(node, node.args[0], node.args[1]);
      case 'rcall':
        return this.methodCall(node, node.args[0], node.args[1], node.args[2]);
      case 'list': {
        const elements = this.jsons(node.args);
        return (frame) => elements.map((element) => element(frame));
      }
      case 'map':
        return mapStep(
          node.args.map(([key, value]) => ({
            key: this.json(key),
            path: pathOf(key),
            value: this.json(value),
          })),
        );
      case '?:': {
        const [condition, yes, no] = node.args;
        const [test, then, otherwise] = [this.bool(condition, '?:'), this.compile(yes), this.compile(no)];
        return (frame) => (test(frame) ? then(frame) : otherwise(frame));
      }
      case '||':
        return logicalStep(this.bool(node.args[0], '||'), this.bool(node.args[1], '||'), true);
      case '&&':
        return logicalStep(this.bool(node.args[0], '&&'), this.bool(node.args[1], '&&'), false);
      case '!_':
      case '-_': {
        const [value, path] = [this.json(node.args), pathOf(node.args)];
        return node.op === '!_' ? (frame) => not(value(frame), path) : (frame) => negate(value(frame), path);
      }
      default: {
        const operate = OPERATORS[node.op];
        const [left, right] = [this.json(node.args[0]), this.json(node.args[1])];
        const site: Site = { operator: node.op, left: pathOf(node.args[0]), right: pathOf(node.args[1]) };
        return (frame) => operate(frame.budget, left(frame), right(frame), site);
      }
    }
  }

  private json(node: ExpressionNode): Step<Json> {
    const step = this.compile(node);
    const isPlain = node.op === 'value' || node.op === 'list' || node.op === 'map' || node.op in OPERATORS;
    return isPlain ? (step as Step<Json>) : jsonStep(step);
  }

  private jsons(nodes: readonly ExpressionNode[]): readonly Step<Json>[] {
    return nodes.map((node) => this.json(node));
  }

  private bool(node: ExpressionNode, operator: string): Step<boolean> {
    return boolStep(this.compile(node), operator, pathOf(node));
  }

  private name(node: ExpressionNode, name: string): Step {
    const slot = this.locals.lastIndexOf(name);
    if (slot >= 0) return (frame) => frame.locals[slot] as Value;
    const root = this.root(node, name);
    if (!KEYED_ROOTS.has(name)) return root;
    throw syntaxFault(
      node,
      `\`${name}\` must be followed by a constant name, as in \`${name}.name\` or \`${name}["name"]\`.`,
    );
  }

  private root(node: ExpressionNode, name: string): Step<Json> {
    if (!this.roots.includes(name)) {
      const inScope = [...this.roots, ...this.locals].join(', ');
      throw unknownName(
        node,
        `The name \`${name}\` is unknown here. Known names: ${inScope}. Put text in quotes.`,
      );
    }
    this.references.roots.add(name);
    return rootStep(name);
  }

  private selection(
    node: ExpressionNode,
    target: ExpressionNode,
    key: string | ExpressionNode,
    whole: string,
  ): Step {
    const isOptional = node.op === '.?' || node.op === '[?]';
    const from = typeof key === 'string' ? this.target(target, key, whole) : this.compile(target, whole);
    return selectionStep(
      from,
      typeof key === 'string' ? key : this.json(key),
      { path: pathOf(node), whole },
      isOptional,
    );
  }

  /**
   * Compiles the expression before the dot or bracket of a field access. Records which nodes and secrets the expression
   * reads.
   */
  private target(target: ExpressionNode, key: string, whole: string): Step {
    if (target.op !== 'id' || !KEYED_ROOTS.has(target.args) || this.locals.includes(target.args)) {
      return this.compile(target, whole);
    }
    const step = this.root(target, target.args);
    (target.args === 'nodes' ? this.references.nodes : this.references.secrets).add(key);
    return step;
  }

  private call(node: ExpressionNode, name: string, args: readonly ExpressionNode[]): Step {
    if (name === 'has') return this.has(node, args);
    const found = FUNCTIONS.get(name);
    if (found === undefined)
      throw unknownCall(node, 'function', name, ['has', 'cel.bind', ...FUNCTIONS.keys()]);
    checkArity(node, name, args, found.arity);
    const values = this.jsons(args);
    const path = args[0] === undefined ? name : pathOf(args[0]);
    return (frame) => {
      const call: Call = { budget: frame.budget, name, path };
      return found.run(
        call,
        values.map((value) => value(frame)),
      );
    };
  }

  private has(node: ExpressionNode, args: readonly ExpressionNode[]): Step {
    const [field] = args;
    checkArity(node, 'has', args, [1, 1]);
    const key = field?.op === '.' ? field.args[1] : field?.op === '[]' ? constantText(field.args[1]) : null;
    if ((field?.op !== '.' && field?.op !== '[]') || key === null) {
      throw syntaxFault(
        node,
        '`has` needs one field with a constant name, as in `has(input.customer.email)`.',
      );
    }
    const target = this.target(field.args[0], key, pathOf(field));
    return (frame) => lookUp(unwrap(target(frame)), key) !== undefined;
  }

  private methodCall(
    node: ExpressionNode,
    name: string,
    receiver: ExpressionNode,
    args: readonly ExpressionNode[],
  ): Step {
    if (receiver.op === 'id' && NAMESPACES.has(receiver.args) && !this.locals.includes(receiver.args)) {
      const fullName = `${receiver.args}.${name}`;
      return fullName === 'cel.bind' ? this.bind(node, args) : this.call(node, fullName, args);
    }
    if (isLoop(name)) return this.loop(node, name, receiver, args);
    if (isOptionalMethod(name)) {
      checkArity(node, name, args, [OPTIONAL_ARITY[name], OPTIONAL_ARITY[name]]);
      const target = this.compile(receiver);
      return optionalStep(
        name,
        target,
        args[0] === undefined ? null : this.compile(args[0]),
        pathOf(receiver),
      );
    }
    const found = METHODS.get(name);
    if (found === undefined)
      throw unknownCall(node, 'method', name, [...LOOPS, ...Object.keys(OPTIONAL_ARITY), ...METHODS.keys()]);
    checkArity(node, name, args, found.arity);
    const [target, values, path] = [this.json(receiver), this.jsons(args), pathOf(receiver)];
    return (frame) => {
      const call: Call = { budget: frame.budget, name, path };
      return found.run(
        call,
        target(frame),
        values.map((value) => value(frame)),
      );
    };
  }

  private loop(
    node: ExpressionNode,
    name: LoopName,
    receiver: ExpressionNode,
    args: readonly ExpressionNode[],
  ): Step {
    checkArity(node, name, args, [2, name === 'map' ? 3 : 2]);
    const [variable, first, second] = args as readonly [
      ExpressionNode,
      ExpressionNode,
      ExpressionNode | undefined,
    ];
    const items = this.json(receiver);
    const slot = this.declare(name, variable);
    this.loops += 1;
    if (this.loops > MAX_LOOPS) throw syntaxFault(node, `Loops are nested deeper than ${MAX_LOOPS}.`);
    const before = this.compiled;
    const build = this.loopBody(name, first, second);
    const cost = 1 + this.compiled - before;
    this.loops -= 1;
    this.locals.pop();
    return build({ name, items, path: pathOf(receiver), slot, cost });
  }

  private loopBody(
    name: LoopName,
    first: ExpressionNode,
    second: ExpressionNode | undefined,
  ): (loop: Loop) => Step {
    if (name === 'sortBy') {
      const key = this.json(first);
      return (loop) => sortByLoopStep(loop, key);
    }
    if (name === 'map') {
      const filter = second === undefined ? null : this.bool(first, name);
      const transform = this.json(second ?? first);
      return (loop) => mapLoopStep(loop, filter, transform);
    }
    const test = this.bool(first, name);
    switch (name) {
      case 'filter':
        return (loop) => filterLoopStep(loop, test);
      case 'exists_one':
        return (loop) => existsOneLoopStep(loop, test);
      case 'all':
        return (loop) => quantifierLoopStep(loop, test, false);
      case 'exists':
        return (loop) => quantifierLoopStep(loop, test, true);
    }
  }

  private bind(node: ExpressionNode, args: readonly ExpressionNode[]): Step {
    checkArity(node, 'cel.bind', args, [3, 3]);
    const [variable, value, body] = args as readonly [ExpressionNode, ExpressionNode, ExpressionNode];
    const bound = this.compile(value);
    const slot = this.declare('cel.bind', variable);
    const step = bindStep(slot, bound, this.compile(body));
    this.locals.pop();
    return step;
  }

  /**
   * Adds a variable of a macro to the scope. Returns the index of its value in the evaluation frame. The caller must
   * remove the variable after compiling the macro.
   */
  private declare(macro: string, variable: ExpressionNode): number {
    if (variable.op !== 'id')
      throw syntaxFault(variable, `The first argument of \`${macro}\` must be the name of a variable.`);
    return this.locals.push(variable.args) - 1;
  }
}

function isOptionalMethod(name: string): name is keyof typeof OPTIONAL_ARITY {
  return Object.hasOwn(OPTIONAL_ARITY, name);
}

function isLoop(name: string): name is LoopName {
  return (LOOPS as readonly string[]).includes(name);
}
