import { defaultPageSize } from '../plan/paging.ts';

/** SQL: number of products on a full page of `ops.category_crawl c`. Some upstreams declare 0. */
export const pageSize = `coalesce(nullif(c.results_per_page, 0), ${defaultPageSize})`;
