import '../../src/platform/runtime-version.js';

// The imports above must finish before `run-demo.js` is loaded.
const { runDemo } = await import('./run-demo.js');
process.exit(await runDemo(process.argv.slice(2)));
