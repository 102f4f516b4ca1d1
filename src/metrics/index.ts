export { METRICS, type Metrics } from './metrics.js';
export { MetricsModule } from './metrics.module.js';
