import { gunzipSync } from 'node:zlib';
import { readPromotionText } from '../../src/source/normalise/promotion-text.ts';
import { readCsv } from './csv.ts';
import type { Finding, Samples } from './survey.ts';

interface Carried {
  readonly text: string;
  readonly products: number;
}

/**
 * Promotion texts, weighed by how many products carry them; then every loyalty price against a second, simpler reading.
 */
export function surveyPromotions(samples: Samples): readonly Finding[] {
  const listed = samples.json('uk/promotion_descriptions.json') as { description: string; rows: number }[];
  const sets: [string, readonly Carried[]][] = [
    ['promotion texts, by product', listed.map(({ description, rows }) => ({ text: description, products: rows }))],
  ];
  for (const file of samples.list('uk/history')) {
    const rows = readCsv(gunzipSync(samples.bytes(`uk/history/${file}`)).toString('utf8'));
    const carried = rows.flatMap((row) =>
      row['Discount price'] ? [{ text: row['Discount price'], products: 1 }] : [],
    );
    sets.push([`promotion texts of ${file.replace('.csv.gz', '')}`, carried]);
  }
  return sets.flatMap(([what, carried]) => [
    classified(what, carried),
    confirmed(`${what}: loyalty prices confirmed`, carried),
  ]);
}

function classified(what: string, carried: readonly Carried[]): Finding {
  const products = (some: readonly Carried[]) => some.reduce((sum, one) => sum + one.products, 0);
  const unknown = carried.filter(({ text }) => readPromotionText(text, null, 'GBP').kind === 'unknown');
  const kinds = new Map<string, number>();
  for (const { text, products } of carried) {
    const { kind } = readPromotionText(text, null, 'GBP');
    kinds.set(kind, (kinds.get(kind) ?? 0) + products);
  }
  const notes = [
    [...kinds].map(([kind, count]) => `${kind} ${count}`).join(', '),
    ...new Set(unknown.map(({ text }) => `unknown: ${text}`)),
  ];
  return { what, total: products(carried), understood: products(carried) - products(unknown), notes };
}

/**
 * A price right at the start, followed by claims and the loyalty word only, is the price of one product; nothing else
 * is.
 */
function confirmed(what: string, carried: readonly Carried[]): Finding {
  const distinct = [...new Set(carried.map(({ text }) => text))];
  const wrong = distinct.filter((text) => readPromotionText(text, null, 'GBP').loyaltyPriceMinor !== plainly(text));
  return {
    what,
    total: distinct.length,
    understood: distinct.length - wrong.length,
    notes: wrong.map((text) => `differs: ${text}`),
  };
}

const loyaltyPrice = new RegExp(
  [
    '^(?:£(\\d+)(?:\\.(\\d\\d))?|(\\d+)p)',
    '(?: Save \\S+| (?:Better than )?Half Price)?',
    ' (?:Clubcard Price|with your Tesco Clubcard)$',
  ].join(''),
);

function plainly(text: string): number | null {
  const match = loyaltyPrice.exec(text);
  if (match === null) return null;
  return match[3] === undefined ? Number(match[1]) * 100 + Number(match[2] ?? 0) : Number(match[3]);
}
