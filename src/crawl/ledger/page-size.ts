import { defaultPageSize } from '../plan/paging.ts';

/** SQL: what a full page of `ops.category_crawl c` holds. Some upstreams tell 0. */
export const pageSize = `coalesce(nullif(c.results_per_page, 0), ${defaultPageSize})`;
