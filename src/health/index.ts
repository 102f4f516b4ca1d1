export { HealthModule, type HealthOptions } from './health.module.js';
export { QueueProbe } from './queue-probe.js';
export { Readiness } from './readiness.js';
