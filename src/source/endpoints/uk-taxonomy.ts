import { defineTaxonomy } from './taxonomy.ts';

/** Category tree of the UK. The specification has the singular path; the vendor also documents the plural. */
export const ukTaxonomy = defineTaxonomy('uk-taxonomy', 'uk', ['/get-category-id-for-uk', '/get-category-ids-for-uk']);
