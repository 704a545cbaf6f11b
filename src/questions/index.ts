import type { Question } from './question.ts';

/** A question with its name, a line that completes "show …", and its file, which is loaded when it is asked. */
export interface QuestionEntry {
  readonly name: string;
  readonly about: string;
  load(): Promise<Question>;
}

/** Every question. */
export const questions: readonly QuestionEntry[] = [
  {
    name: 'asof',
    about: "a region's catalogue as the night of a date left it",
    load: async () => (await import('./asof.ts')).asof,
  },
  {
    name: 'changes',
    about: 'price changes, newest first',
    load: async () => (await import('./changes.ts')).changes,
  },
  {
    name: 'pack-changes',
    about: 'packs that hold another amount than before, newest first',
    load: async () => (await import('./pack-changes.ts')).packChanges,
  },
  {
    name: 'promotions',
    about: 'promotions and whether they are reductions, newest first',
    load: async () => (await import('./promotions.ts')).promotions,
  },
  {
    name: 'index',
    about: 'price indices of a region or a category over time',
    load: async () => (await import('./price-index.ts')).priceIndex,
  },
  {
    name: 'compare',
    about: 'what matched products cost in Ireland against the United Kingdom, widest gap first',
    load: async () => (await import('./compare.ts')).compare,
  },
];
