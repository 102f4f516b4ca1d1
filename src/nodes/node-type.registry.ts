import { Injectable } from '@nestjs/common';
import { at } from '../expressions/index.js';
import type { CatalogedNodeType, NodeTypeCatalog } from '../engine/index.js';
import type { NodeType as NodeTypeContract, NodeTypeDescription } from '../node-contract/index.js';
import { NodeTypeRegistrationError } from './node-type.errors.js';
import {
  compileParameterSchema,
  type ParameterChecks,
  parameterSchemaOnUse,
} from './schema/parameter-schema.js';

export interface RegisteredNodeType {
  readonly description: NodeTypeDescription;
  readonly handler: NodeTypeContract;
  /** Name of the plug-in that provides the node type. Built-in node types have the source `workflow-service`. */
  readonly source: string;
  readonly parameters: ParameterChecks;
}

interface RegisterOptions {
  /** Name of the plug-in that provides the node type. Default: the service. */
  readonly source?: string | undefined;
  /**
   * Whether the schemas are compiled now, so that an invalid schema refuses the node type, or at the first check of
   * parameters. Default: now.
   */
  readonly compile?: 'now' | 'on use';
}

const BUILT_IN = 'workflow-service';

const TYPE_NAME = /^[a-z][a-z0-9_.-]{0,63}$/;

/** All node types of the application, by name. The registry is filled when the process starts. */
@Injectable()
export class NodeTypeRegistry implements NodeTypeCatalog {
  private readonly types = new Map<string, RegisteredNodeType>();

  /** @throws NodeTypeRegistrationError naming the class of the handler and, if there is one, the plug-in. */
  register(
    description: NodeTypeDescription,
    handler: NodeTypeContract,
    { source = BUILT_IN, compile = 'now' }: RegisterOptions = {},
  ): void {
    const refuse = (reason: string): never => {
      throw new NodeTypeRegistrationError(labelOf({ handler, source }), reason);
    };
    const { type, version } = description;
    if (typeof type !== 'string' || !TYPE_NAME.test(type))
      refuse(
        `"${type}" is not a valid type name. A name starts with a lower-case letter, followed by lower-case letters, digits, "_", "." and "-", and has at most 64 characters.`,
      );
    if (!Number.isSafeInteger(version) || version < 1)
      refuse(`the version of "${type}" must be a whole number from 1.`);
    if (typeof handler.run !== 'function') refuse('the class has no method "run".');
    const taken = this.types.get(type);
    if (taken !== undefined) refuse(`the type "${type}" is already used by the class ${labelOf(taken)}.`);
    if (compile === 'now')
      for (const name of ['outputSchema', 'schema'] as const)
        try {
          compileParameterSchema(description[name]);
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          refuse(`its ${name} does not compile: ${reason}.`);
        }
    const parameters = parameterSchemaOnUse(description.schema);
    this.types.set(type, { description, handler, source, parameters });
  }

  get(type: string): RegisteredNodeType | undefined {
    return this.types.get(type);
  }

  has(type: string): boolean {
    return this.types.has(type);
  }

  list(): readonly RegisteredNodeType[] {
    return this.names().flatMap((name) => this.types.get(name) ?? []);
  }

  names(): readonly string[] {
    return [...this.types.keys()].sort();
  }

  find(type: string): CatalogedNodeType | undefined {
    const found = this.types.get(type);
    return (
      found && {
        description: found.description,
        checkDefinition: checkOf(found),
        literalWait: (parameters) => found.handler.literalWait?.(parameters) ?? null,
      }
    );
  }
}

/** Returns the name of a node type's class and of its plug-in, for error messages. */
function labelOf({ handler, source }: Pick<RegisteredNodeType, 'handler' | 'source'>): string {
  const { name } = handler.constructor;
  return source === BUILT_IN ? name : `${name} of the plug-in "${source}"`;
}

/**
 * Returns a function that checks the parameters of a node against the schema of its type. If the schema accepts the
 * parameters, the function also calls the method `check` of the node type.
 */
function checkOf({ parameters, handler }: RegisteredNodeType): CatalogedNodeType['checkDefinition'] {
  return (given, path) => {
    const faults = parameters.checkDefinition(given, path);
    if (faults.length > 0 || handler.check === undefined) return faults;
    return handler.check(given).map((fault) => ({ ...fault, path: at(path, fault.path) }));
  };
}
