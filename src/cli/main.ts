#!/usr/bin/env node
import '../platform/runtime-version.js';
import { fileURLToPath } from 'node:url';

// Static imports would run before the check of the Node.js version, so all imports in this file are dynamic.
const { enableCompileCache } = await import('node:module');
// The compile cache is in node_modules, so deleting node_modules also deletes the cache. If the folder is not writable,
// Node.js runs without a cache.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)));
await import('reflect-metadata');
const { processTerminal } = await import('./terminal.js');
const { runProgram } = await import('./program.js');

process.exitCode = await runProgram(process.argv.slice(2), processTerminal);
