import { defineTaxonomy } from './taxonomy.ts';

/** Ireland's category tree. */
export const ieTaxonomy = defineTaxonomy('ie-taxonomy', 'ie', ['/get-category-ids-for-ireland']);
