export { LoggingModule, ServiceLogger } from './logging.module.js';
