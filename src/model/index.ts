export * from './category.ts';
export * from './payload.ts';
export * from './product.ts';
export * from './promotion.ts';
export * from './reading.ts';
export * from './region.ts';
export * from './store.ts';
export * from './world.ts';
