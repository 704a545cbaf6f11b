/** Views and functions in `catalog` for internal use, in the order of application; `marts` depends on them. */
export const catalogFiles: readonly string[] = ['spells.sql', 'product-hash.sql'];
