import '../../src/platform/runtime-version.js';

// A static import would run before the check of the Node.js version, so the import is dynamic.
const { runDemo } = await import('./run-demo.js');
process.exit(await runDemo(process.argv.slice(2)));
