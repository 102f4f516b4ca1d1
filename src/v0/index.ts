export { V0Module } from './v0.module.js';
