import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { surveyContract } from './survey-contract.ts';
import { surveyPacks } from './survey-packs.ts';
import { surveyPromotions } from './survey-promotions.ts';
import { surveyShelves } from './survey-shelves.ts';

/** One line of the report: number of items, number parsed, and the others for review. */
export interface Finding {
  readonly what: string;
  readonly total: number;
  readonly understood: number;
  readonly notes: readonly string[];
}

/** Reads a file of the samples folder, or lists a folder of it. */
export interface Samples {
  bytes(path: string): Buffer;
  json(path: string): unknown;
  list(path: string): readonly string[];
}

export function openSamples(folder: string): Samples {
  const bytes = (path: string) => readFileSync(join(folder, path));
  return {
    bytes,
    json: (path) => JSON.parse(bytes(path).toString('utf8')),
    list: (path) => readdirSync(join(folder, path)).sort(),
  };
}

/** Sends all of the samples through the normalisers and contracts. */
export function surveySamples(samples: Samples): readonly Finding[] {
  return [...surveyPromotions(samples), ...surveyShelves(samples), ...surveyPacks(samples), ...surveyContract(samples)];
}
