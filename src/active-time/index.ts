export { type ActiveTime, activeTimeAfter, activeTimeoutAt } from './active-time.js';
