import { defineProductDetails } from './product-details.ts';

/** Everything about one product of Ireland. */
export const ieProductDetails = defineProductDetails('ie-product-details', 'ie', '/ireland-product-details');
