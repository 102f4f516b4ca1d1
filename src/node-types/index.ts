export { egressConnector } from './http/egress-connector.js';
export { EgressDeniedError, EgressPolicy } from './http/egress-policy.js';
export { NodeTypesModule } from './node-types.module.js';
