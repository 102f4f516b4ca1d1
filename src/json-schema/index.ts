export { parameterFaults } from './parameter-faults.js';
export { schemaEvaluator } from './schema-evaluator.js';
export { placeOf, significantErrors, toFault } from './schema-faults.js';
