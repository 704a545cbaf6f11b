import { defineProductDetails } from './product-details.ts';

export const ukProductDetails = defineProductDetails('uk-product-details', 'uk', '/product-details');
