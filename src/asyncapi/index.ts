export { AsyncApiModule } from './asyncapi.module.js';
