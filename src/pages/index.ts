export { decodeCursor } from './cursor.js';
export { pageById, type PageRows } from './id-page.repository.js';
export { sumCounts } from './list-counts.repository.js';
export { ListTexts, wantedText } from './list-texts.js';
export { PageQuery, Pagination, SearchedPageQuery } from './page.dto.js';
export { idPlace, type IdPlace, idsAt, type Page, page, requireOnePlace } from './page.js';
export { likeText, withText } from './text-filter.repository.js';
