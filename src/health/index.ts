export { HealthModule } from './health.module.js';
export { QueueProbe } from './queue-probe.js';
