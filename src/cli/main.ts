#!/usr/bin/env node
import '../platform/runtime-version.js';
import { fileURLToPath } from 'node:url';

// What is named above is to be done before any of this is loaded.
const { enableCompileCache } = await import('node:module');
// Beside the packages, where it goes with them. A folder that cannot be written is no fault.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)));
await import('reflect-metadata');
const { processTerminal } = await import('./terminal.js');
const { runProgram } = await import('./program.js');

process.exitCode = await runProgram(process.argv.slice(2), processTerminal);
