import { defineTaxonomy } from './taxonomy.ts';

/**
 * The UK's category tree. The specification names the path in the singular, the vendor's document also in the plural.
 */
export const ukTaxonomy = defineTaxonomy('uk-taxonomy', 'uk', ['/get-category-id-for-uk', '/get-category-ids-for-uk']);
