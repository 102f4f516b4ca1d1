import './platform/runtime-version.js';

// Dynamic imports, because the imports above must be loaded first.
await import('reflect-metadata');
const { start } = await import('./start/index.js');
await start();
