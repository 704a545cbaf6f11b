import { gunzipSync } from 'node:zlib';
import { ieCategoryPage, ukTaxonomy } from '../../src/source/endpoints/index.ts';
import { decodeCategoryId, encodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { parseMoney } from '../../src/source/normalise/money.ts';
import { packSizeFromTitle } from '../../src/source/normalise/pack-title.ts';
import { productIdFrom } from '../../src/source/normalise/product-id.ts';
import { readPromotionText } from '../../src/source/normalise/promotion-text.ts';
import { readLabel } from '../../src/source/normalise/text.ts';
import { normaliseUnitPrice } from '../../src/source/normalise/unit-price.ts';
import { readCsv } from './csv.ts';
import type { Finding, Samples } from './survey.ts';

/** Categories, tiles and products as displayed in the shop. */
export function surveyShelves(samples: Samples): readonly Finding[] {
  return [...surveyTaxonomy(samples), ...surveyTiles(samples), ...surveyPrices(samples), ...surveyNodes(samples)];
}

/** Result of `isUnderstood` for each item; rejected ones are listed. */
export function finding<Item>(
  what: string,
  items: readonly Item[],
  isUnderstood: (item: Item) => boolean,
  name: (item: Item) => string,
): Finding {
  const refused = items.filter((item) => !isUnderstood(item));
  return { what, total: items.length, understood: items.length - refused.length, notes: refused.map(name) };
}

function surveyTaxonomy(samples: Samples): readonly Finding[] {
  const { taxonomy } = JSON.parse(gunzipSync(samples.bytes('uk/taxonomy_2025-06.json.gz')).toString('utf8')) as {
    taxonomy: unknown;
  };
  const { records, rejected } = ukTaxonomy.read({ success: true, data: { taxonomy } }, undefined);
  const { nodes } = records;
  const idOf = new Map(nodes.map((node) => [node, node.categoryId]));
  return [
    {
      what: 'taxonomy nodes read',
      total: nodes.length + rejected.length,
      understood: nodes.length,
      notes: rejected.map(({ path, reason }) => `${path} ${reason}`),
    },
    finding(
      'category ids: path out of the id and back',
      nodes,
      (node) => encodeCategoryId(decodeCategoryId(node.categoryId) ?? []) === idOf.get(node),
      ({ categoryId }) => categoryId,
    ),
    finding(
      'category ids: the path of the parent and the name, but for its white space',
      nodes.filter(({ parentId }) => parentId !== null),
      ({ categoryId, parentId, name }) => {
        const path = decodeCategoryId(categoryId) ?? [];
        const ownName = path.at(-1) ?? '';
        return readLabel(ownName) === name && encodeCategoryId(path.slice(0, -1)) === parentId;
      },
      ({ categoryId, name }) => `${name} ${categoryId}`,
    ),
  ];
}

interface Tile {
  readonly title: string;
  readonly text: string;
  readonly price: string;
  readonly link: string;
  readonly pack: string;
}

function surveyTiles(samples: Samples): readonly Finding[] {
  // One tile holds the whole page's navigation: its lines are still lines.
  const tiles = samples.json('uk/listing_tiles.json') as Tile[];
  const lines = tiles.flatMap(({ text }) => text.split('\n').map((line) => line.trim()));
  const pick = (pattern: RegExp) => lines.filter((line) => pattern.test(line));
  const self = (line: string) => line;
  return [
    finding(
      'tile prices',
      tiles,
      ({ price }) => parseMoney(price) !== null,
      ({ price }) => price,
    ),
    finding(
      'tile promotions',
      pick(/Clubcard Price(?!s)/),
      (line) => readPromotionText(line, null, 'GBP').kind !== 'unknown',
      self,
    ),
    finding(
      'tile addresses',
      tiles.filter(({ link }) => /\/products\/\d/.test(link)),
      ({ link }) => /^\d+$/.test(productIdFrom(link) ?? ''),
      ({ link }) => link,
    ),
    finding(
      'tile packs',
      tiles,
      ({ pack }) => packSizeFromTitle(pack) !== null,
      ({ pack }) => pack,
    ),
    finding(
      'tile titles: the same pack as the tile says',
      tiles.filter(({ title }) => /\d ?(?:ml|l)\b/i.test(title)),
      ({ title, pack }) => packSizeFromTitle(title)?.size === packSizeFromTitle(pack)?.size,
      ({ title, pack }) => `${title} (${pack})`,
    ),
  ];
}

function surveyPrices(samples: Samples): readonly Finding[] {
  const excerpt = readCsv(samples.bytes('uk/fresh_food_listing_excerpt_2026.csv').toString('utf8'));
  const findings = [
    finding(
      'fresh food: price and unit price',
      excerpt,
      (row) =>
        parseMoney(row['price_actual']) === parseMoney(Number(row['price_actual'])) &&
        normaliseUnitPrice(Number(row['price_unit_price']), row['price_unit_of_measure']).unitPrice !== null,
      (row) => JSON.stringify(row),
    ),
    finding(
      'fresh food: price = unit price x pack, within 1 %',
      excerpt.filter(
        (row) =>
          /^(?:kg|litre)$/.test(row['price_unit_of_measure'] ?? '') &&
          packSizeFromTitle(row['title'] ?? '')?.measure !== 'each' &&
          packSizeFromTitle(row['title'] ?? '') !== null,
      ),
      (row) => {
        const content = Number(packSizeFromTitle(row['title'] ?? '')?.size) / 1000;
        const ratio = (content * Number(row['price_unit_price'])) / Number(row['price_actual']);
        return Math.abs(ratio - 1) < 0.01;
      },
      (row) => `${row['title']}: ${row['price_actual']} at ${row['price_unit_price']}/${row['price_unit_of_measure']}`,
    ),
  ];
  for (const file of samples.list('uk/history')) {
    const rows = readCsv(gunzipSync(samples.bytes(`uk/history/${file}`)).toString('utf8'));
    findings.push(
      finding(
        `prices of ${file.replace('.csv.gz', '')}`,
        rows,
        (row) => parseMoney(row['Price']) === parseMoney(Number(row['Price'])) && parseMoney(row['Price']) !== null,
        (row) => `${row['Name']}: ${row['Price']}`,
      ),
    );
  }
  return findings;
}

function surveyNodes(samples: Samples): readonly Finding[] {
  const results = samples.json('ie/product_nodes.json') as unknown[];
  const { records, rejected } = ieCategoryPage.read(
    { success: true, data: { pageInformation: null, results } },
    { categoryId: 'b;', pageNo: 1 },
  );
  return [
    {
      what: 'Irish product nodes',
      total: results.length,
      understood: records.products.filter(
        ({ priceMinor, unitPrice, breadcrumb }) => priceMinor !== null && unitPrice !== null && breadcrumb.length === 4,
      ).length,
      notes: rejected.map(({ path, reason }) => `${path} ${reason}`),
    },
  ];
}
