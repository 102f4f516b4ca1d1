import './platform/runtime-version.js';

// What is named above is to be done before any of this is loaded.
await import('reflect-metadata');
const { start } = await import('./start/index.js');
await start();
