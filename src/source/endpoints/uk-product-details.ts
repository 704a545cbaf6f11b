import { defineProductDetails } from './product-details.ts';

/** Everything about one product of the UK. */
export const ukProductDetails = defineProductDetails('uk-product-details', 'uk', '/product-details');
