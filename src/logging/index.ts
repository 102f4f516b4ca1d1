export { maskLogLines } from './line-masks.js';
export { LoggingModule, ServiceLogger } from './logging.module.js';
