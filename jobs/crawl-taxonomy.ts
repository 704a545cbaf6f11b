import { planNight } from '../src/crawl/plan-night.ts';
import { defineStep } from './context.ts';

/** Reads the category tree, chooses the fewest categories that cover it, and plans their first pages. */
export const crawlTaxonomy = defineStep('crawl-taxonomy', 'taxonomy', planNight);
