import './platform/runtime-version.js';
import 'reflect-metadata';
import { start } from './start/index.js';

await start();
