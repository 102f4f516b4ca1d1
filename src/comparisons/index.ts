export type { ExecutionDiffView, ValueDiffView } from './comparison.dto.js';
export { ComparisonsModule } from './comparisons.module.js';
