import './platform/runtime-version.js';

// The check of the Node.js version must run before other modules are loaded. Static imports would load the modules
// before the check, so these imports are dynamic.
await import('reflect-metadata');
const { start } = await import('./start/index.js');
await start();
