import '../platform/runtime-version.js';

const { runDemo } = await import('./run-demo.js');
process.exit(await runDemo(process.argv.slice(2)));
