export { EgressPolicy } from './http/egress-policy.js';
export { NodeTypesModule } from './node-types.module.js';
