#!/usr/bin/env node
import '../platform/runtime-version.js';

// What is named above is to be done before any of this is loaded.
await import('reflect-metadata');
const { processTerminal } = await import('./terminal.js');
const { runProgram } = await import('./program.js');

process.exitCode = await runProgram(process.argv.slice(2), processTerminal);
