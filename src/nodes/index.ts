export { EgressPolicy } from './http/egress-policy.js';
/** @public For packages of node types. */
export { NodeType } from './node-type.decorator.js';
/** @public For packages of node types. */
export { NodeTypeRegistrationError } from './node-type.errors.js';
export { NodeTypeRegistry, type RegisteredNodeType } from './node-type.registry.js';
export { NodesModule } from './nodes.module.js';
export { compileInputSchema, type InputSchema } from './schema/input-schema.js';
export type { ParameterChecks } from './schema/parameter-schema.js';
