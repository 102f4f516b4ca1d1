import type { ServiceMetrics } from './service-metrics.js';

/** Injection token of the `ServiceMetrics`. Null without `METRICS_TOKEN` and `METRICS_PORT`. */
export const METRICS = Symbol('METRICS');

export type Metrics = ServiceMetrics | null;
