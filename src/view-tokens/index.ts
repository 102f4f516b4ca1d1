export { ViewTokensModule } from './view-tokens.module.js';
