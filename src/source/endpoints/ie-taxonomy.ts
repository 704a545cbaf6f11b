import { defineTaxonomy } from './taxonomy.ts';

export const ieTaxonomy = defineTaxonomy('ie-taxonomy', 'ie', ['/get-category-ids-for-ireland']);
