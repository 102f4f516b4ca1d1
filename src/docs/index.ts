export { Docs } from './docs.js';
export { DocsModule } from './docs.module.js';
