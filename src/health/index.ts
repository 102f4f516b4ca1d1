export { HealthModule, type HealthOptions } from './health.module.js';
export { QueueProbe } from './queue-probe.js';
export { type Checks, Readiness } from './readiness.js';
