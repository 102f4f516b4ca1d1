import '../../src/platform/runtime-version.js';

// What is named above is to be done before any of this is loaded.
const { runDemo } = await import('./run-demo.js');
process.exit(await runDemo(process.argv.slice(2)));
