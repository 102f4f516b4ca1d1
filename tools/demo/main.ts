import '../../src/platform/runtime-version.js';

// The import is dynamic, so that the version check above runs first.
const { runDemo } = await import('./run-demo.js');
process.exit(await runDemo(process.argv.slice(2)));
