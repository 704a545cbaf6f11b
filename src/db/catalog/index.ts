/**
 * Views and functions in `catalog`, for the program's own use, in the order they are applied: `marts` is made with
 * them.
 */
export const catalogFiles: readonly string[] = ['spells.sql', 'product-hash.sql'];
