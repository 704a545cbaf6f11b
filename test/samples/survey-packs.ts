import { gunzipSync } from 'node:zlib';
import { packSizeFromTitle } from '../../src/source/normalise/pack-title.ts';
import { readCsv } from './csv.ts';
import type { Finding, Samples } from './survey.ts';
import { finding } from './survey-shelves.ts';

/** Pack sizes in titles: how many are read, and whether a second, simpler parser agrees. */
export function surveyPacks(samples: Samples): readonly Finding[] {
  return samples.list('uk/history').flatMap((file) => {
    const rows = readCsv(gunzipSync(samples.bytes(`uk/history/${file}`)).toString('utf8'));
    const titles = [...new Set(rows.map((row) => row['Name'] ?? ''))];
    const date = file.replace('.csv.gz', '');
    const named = titles.filter((title) => namesSize.test(title));
    return [
      finding(
        `pack sizes that titles of ${date} name`,
        named,
        (title) => packSizeFromTitle(title) !== null,
        (title) => title,
      ),
      finding(
        `pack sizes of ${date}: agreed with a second reading`,
        titles.filter((title) => packSizeFromTitle(title) !== null),
        (title) => plainly(title) === null || plainly(title) === printed(title),
        (title) => `${title}: ${printed(title)}, plainly ${plainly(title)}`,
      ),
    ];
  });
}

const namesSize = /\d ?(?:kgs?|g|gm|grams?|ml|cl|l|lt|ltrs?|litres?|pints?|packs?|pk|pieces|tea ?bags)\b|\d ?x ?\d/i;

function printed(title: string): string {
  const { size, measure } = packSizeFromTitle(title)!;
  return `${Math.round(Number(size) * 10) / 10} ${measure}`;
}

const factors: Readonly<Record<string, readonly [number, string]>> = {
  kg: [1000, 'g'],
  g: [1, 'g'],
  ml: [1, 'ml'],
  cl: [10, 'ml'],
  l: [1000, 'ml'],
  litre: [1000, 'ml'],
};

/**
 * The one amount that a title holds, times the `6 x` before it or the `4 Pack` after it; null where it holds none or
 * several.
 */
function plainly(title: string): string | null {
  const amounts = [
    ...title.matchAll(
      /(?:(\d+) ?(?:pack )?x ?)?(\d+(?:[.,]\d+)?) ?(kg|g|ml|cl|litre|l)\b(?:.*? (\d+) pack\b| ?x ?(\d+))?/gi,
    ),
  ];
  if (amounts.length !== 1) return null;
  const [, before, value = '', unit = '', packs, times] = amounts[0]!;
  const [factor, measure] = factors[unit.toLowerCase()]!;
  return (
    `${Math.round(Number(value.replace(',', '.')) * factor * Number(before ?? packs ?? times ?? 1) * 10) / 10} ` +
    `${measure}`
  );
}
