import { defineProductDetails } from './product-details.ts';

export const ieProductDetails = defineProductDetails('ie-product-details', 'ie', '/ireland-product-details');
