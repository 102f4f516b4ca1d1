import type { ServiceMetrics } from './service-metrics.js';

/** Injection token of `Metrics`. The provided value is null if neither `METRICS_TOKEN` nor `METRICS_PORT` is set. */
export const METRICS = Symbol('METRICS');

export type Metrics = ServiceMetrics | null;
