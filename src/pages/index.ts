export { decodeCursor } from './cursor.js';
export { pageById, type PageRows } from './id-page.repository.js';
export { PageQuery, Pagination } from './page.dto.js';
export { idPlace, type IdPlace, type Page, page, requireOnePlace } from './page.js';
