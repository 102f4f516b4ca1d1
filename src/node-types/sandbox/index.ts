export { serve } from './guest.js';
export type { SandboxFailureReason } from './sandbox-answer.js';
export { sandboxOutcome } from './sandbox-outcome.js';
export { SandboxPool, type SandboxPoolSettings } from './sandbox-pool.js';
export type { SandboxJob } from './sandbox-process.js';
export { sandboxSettings } from './sandbox-settings.js';
