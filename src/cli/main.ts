#!/usr/bin/env node
import '../platform/runtime-version.js';
import { fileURLToPath } from 'node:url';

// The imports above must finish before any of this is loaded.
const { enableCompileCache } = await import('node:module');
// Cached in node_modules, so that removing the packages removes the cache. An unwritable folder is not an error.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)));
await import('reflect-metadata');
const { processTerminal } = await import('./terminal.js');
const { runProgram } = await import('./program.js');

process.exitCode = await runProgram(process.argv.slice(2), processTerminal);
