import './platform/runtime-version.js';

// Dynamic imports, because the check of the Node.js version above must run before the other modules are loaded.
await import('reflect-metadata');
const { start } = await import('./start/index.js');
await start();
