import { type Market, simulatedPrices } from '../simulated-prices.ts';

/** Products leave, are on sale, are cleared and are missing. */
const busy: Market = { leaving: 0.06, onSale: 0.15, clearance: 0.3, missing: 0.08, shrinking: 0 };

/** Prices that PriceIndexCalc was given. */
export const { periods } = simulatedPrices(busy, { months: 16, products: 90, seed: 7 });

/** Periods of a rolling window. */
export const length = 7;
