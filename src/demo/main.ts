import '../platform/runtime-version.js';
import { runDemo } from './run-demo.js';

process.exit(await runDemo(process.argv.slice(2)));
