export { RunMemory } from './run-memory.js';
export { RunResources } from './run-resources.js';
export { RunValues } from './run-values.js';
export { StateBytes } from './state-size.js';
