#!/usr/bin/env node
import '../platform/runtime-version.js';
import { fileURLToPath } from 'node:url';

// These imports are dynamic, because the check of the Node.js version above must run first.
const { enableCompileCache } = await import('node:module');
// The compile cache is in node_modules, so that a removal of the packages also removes the cache. If the folder is
// not writable, Node.js runs without a cache.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)));
await import('reflect-metadata');
const { processTerminal } = await import('./terminal.js');
const { runProgram } = await import('./program.js');

process.exitCode = await runProgram(process.argv.slice(2), processTerminal);
