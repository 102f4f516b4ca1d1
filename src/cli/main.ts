#!/usr/bin/env node
import '../platform/runtime-version.js';
import { fileURLToPath } from 'node:url';

// Dynamic import, because the imports above must be loaded first.
const { enableCompileCache } = await import('node:module');
// The compile cache is in node_modules, so that removing the packages removes the cache, too. If the folder is not
// writable, Node.js runs without a cache.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)));
await import('reflect-metadata');
const { processTerminal } = await import('./terminal.js');
const { runProgram } = await import('./program.js');

process.exitCode = await runProgram(process.argv.slice(2), processTerminal);
