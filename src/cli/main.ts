#!/usr/bin/env node
import '../platform/runtime-version.js';
import 'reflect-metadata';
import { processTerminal } from './terminal.js';
import { runProgram } from './program.js';

process.exitCode = await runProgram(process.argv.slice(2), processTerminal);
