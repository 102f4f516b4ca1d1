export { SearchModule } from './search.module.js';
export type { SearchView } from './search.dto.js';
