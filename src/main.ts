import './platform/runtime-version.js';

// The imports above must finish before any of this is loaded.
await import('reflect-metadata');
const { start } = await import('./start/index.js');
await start();
